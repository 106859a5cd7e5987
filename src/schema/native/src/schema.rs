//! A compiled JSON Schema.

use std::mem::ManuallyDrop;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ReferencingError, ValidationError, Validator};
use serde_json::Value;

use crate::faults;
use crate::guard::{with_stack, Failure, Status};

/// Compilation recurses along chains of references, of which 1 MiB holds some 30,000.
const COMPILE_STACK: usize = 256 << 20;
/// Recursion of a validation, per step into a subschema of the same value.
const STACK_PER_STEP: usize = 2 << 10;
/// As many steps as any thread has room for.
const STEPS_IN_PLACE: usize = 256;
const MAX_STACK: usize = 1 << 30;
/// Faults beyond this number are not even looked at.
const MAX_FAULTS_SORTED: usize = 10_000;
/// Work on one match of a pattern with look-around or back-references.
const BACKTRACK_LIMIT: usize = 100_000;

pub struct Schema {
    validator: ManuallyDrop<Validator>,
    root: Value,
    /// How often one value can be handed to a further subschema, at most.
    steps: usize,
}

impl Schema {
    pub fn compile(text: &str) -> Result<Self, Failure> {
        let root = parse(text)
            .map_err(|e| Failure::new(Status::SchemaInvalid, format!("not JSON: {e}")))?;
        let steps = count_steps(&root);
        with_stack(COMPILE_STACK, Status::SchemaTooComplex, move || {
            let validator = build(&root)?;
            Ok(Schema { validator: ManuallyDrop::new(validator), root, steps })
        })
    }

    /// JSON text: an array of faults.
    pub fn validate(&self, text: &str, max_faults: usize) -> Result<String, Failure> {
        let value =
            parse(text).map_err(|e| Failure::new(Status::JsonInvalid, format!("not JSON: {e}")))?;
        let needed = self.steps.saturating_mul(depth(&value) + 1);
        self.on_stack(needed, || {
            let errors = self.validator.iter_errors(&value).take(MAX_FAULTS_SORTED);
            Ok(faults::render(errors, &self.root, max_faults))
        })
    }

    fn on_stack<R: Send>(
        &self,
        steps: usize,
        f: impl FnOnce() -> Result<R, Failure> + Send,
    ) -> Result<R, Failure> {
        if steps <= STEPS_IN_PLACE {
            return f();
        }
        match steps.checked_mul(STACK_PER_STEP) {
            Some(stack) if stack <= MAX_STACK => {
                with_stack(stack + (1 << 20), Status::SchemaTooComplex, f)
            }
            _ => Err(Failure::new(
                Status::SchemaTooComplex,
                "the schema has too many references for a value nested this deeply",
            )),
        }
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        // A chain of subschemas is freed recursively.
        // SAFETY: dropped here and nowhere else.
        let validator = unsafe { ManuallyDrop::take(&mut self.validator) };
        let _ = self.on_stack(self.steps, move || {
            drop(validator);
            Ok(())
        });
    }
}

/// Without the limit on nesting: the caller has checked it.
pub fn parse(text: &str) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Compiles, on the caller's stack.
pub fn build(root: &Value) -> Result<Validator, Failure> {
    jsonschema::options()
        .offline()
        .should_validate_formats(false)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .build(root)
        .map_err(|e| compile_failure(&e, root))
}

fn compile_failure(error: &ValidationError, root: &Value) -> Failure {
    let path = error.instance_path().as_str();
    let (status, message) = match error.kind() {
        ValidationErrorKind::Referencing(cause) => match cause {
            ReferencingError::Unretrievable { uri, .. } => (
                Status::SchemaUnsupported,
                format!("the reference to {uri} leads outside the schema, and nothing is fetched"),
            ),
            ReferencingError::UnknownSpecification { specification } => (
                Status::SchemaUnsupported,
                format!("{specification} is not a known draft of JSON Schema"),
            ),
            other => (Status::SchemaInvalid, other.to_string()),
        },
        ValidationErrorKind::Format { format } if format == "regex" => (
            Status::SchemaInvalid,
            format!("{} is not a regular expression", faults::clip(error.instance().as_ref())),
        ),
        _ => (Status::SchemaInvalid, faults::message(error, root)),
    };
    Failure::new(status, message).at(path)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn count_steps(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_steps).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(key, member)| {
                let own = match (key.as_str(), member) {
                    ("allOf" | "anyOf" | "oneOf", Value::Array(items)) => items.len(),
                    ("dependentSchemas" | "dependencies", Value::Object(items)) => items.len(),
                    (
                        "$ref" | "$dynamicRef" | "$recursiveRef" | "not" | "if" | "then" | "else",
                        _,
                    ) => 1,
                    _ => 0,
                };
                own + count_steps(member)
            })
            .sum(),
        _ => 0,
    }
}
