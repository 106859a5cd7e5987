//! Faults as sentences that a model can act on.

use std::fmt::{self, Display, Write};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::ValidationError;
use serde_json::{json, Value};

const MAX_VALUE_BYTES: usize = 80;
const MAX_LISTED: usize = 20;
const MAX_MESSAGE_BYTES: usize = 600;
const MAX_NEAREST: usize = 3;

/// A JSON array of {instance_path, schema_path, keyword, message}, by path.
pub fn render<'a>(
    errors: impl Iterator<Item = ValidationError<'a>>,
    root: &Value,
    max_faults: usize,
) -> String {
    let mut errors: Vec<_> = errors.collect();
    errors.sort_by(|a, b| {
        (a.instance_path().as_str(), a.schema_path().as_str())
            .cmp(&(b.instance_path().as_str(), b.schema_path().as_str()))
    });
    errors.truncate(max_faults);
    let faults: Vec<Value> = errors
        .iter()
        .map(|error| {
            json!({
                "instance_path": error.instance_path().as_str(),
                "schema_path": schema_path(error),
                "keyword": keyword(error),
                "message": message(error, root),
            })
        })
        .collect();
    Value::Array(faults).to_string()
}

fn keyword(error: &ValidationError) -> String {
    let path = schema_path(error);
    let last = path.rsplit('/').next().unwrap_or("");
    match error.kind() {
        ValidationErrorKind::FalseSchema => "false".to_string(),
        // One kind for three keywords; another for three.
        ValidationErrorKind::Contains | ValidationErrorKind::Required { .. } => last.to_string(),
        kind => kind.keyword().to_string(),
    }
}

fn schema_path<'a>(error: &'a ValidationError) -> &'a str {
    const NAMES: &str = "/propertyNames";
    let path = error.schema_path().as_str();
    match error.kind() {
        // It goes on to what the name breaks.
        ValidationErrorKind::PropertyNames { .. } => {
            path.rfind(NAMES).map_or(path, |start| &path[..start + NAMES.len()])
        }
        _ => path,
    }
}

/// One sentence, without a full stop.
pub fn message(error: &ValidationError, root: &Value) -> String {
    shortened(sentence(error, root, MAX_NEAREST))
}

/// For messages, which may quote much.
pub fn shortened(text: String) -> String {
    if text.len() > MAX_MESSAGE_BYTES {
        format!("{}...", prefix(&text, MAX_MESSAGE_BYTES))
    } else {
        text
    }
}

/// Explains alternatives within alternatives `levels` deep.
fn sentence(error: &ValidationError, root: &Value, levels: usize) -> String {
    use ValidationErrorKind as Kind;
    let value = error.instance().as_ref();
    let got = || clip(value);
    match error.kind() {
        Kind::Required { property } => format!("the required property {property} is missing"),
        Kind::AdditionalProperties { unexpected } => format!(
            "unexpected {}; {}",
            counted("property", "properties", unexpected.len(), quoted(unexpected)),
            allowed_properties(error, root)
        ),
        Kind::UnevaluatedProperties { unexpected } => format!(
            "unexpected {}",
            counted("property", "properties", unexpected.len(), quoted(unexpected))
        ),
        Kind::UnevaluatedItems { unexpected } => {
            format!("unexpected {}", counted("item", "items", unexpected.len(), list(unexpected)))
        }
        Kind::AdditionalItems { limit } => {
            format!(
                "only {} allowed; got {}",
                plural(*limit as u64, "item is", "items are"),
                items(value)
            )
        }
        Kind::Type { kind } => {
            format!("expected {}; got {}", expected_types(kind), described(value))
        }
        Kind::Enum { options } => match options.as_array() {
            Some(options) => {
                let options: Vec<_> = options.iter().map(clip).collect();
                format!("must be one of {}; got {}", list(&options), got())
            }
            None => format!("must be one of the listed values; got {}", got()),
        },
        Kind::Constant { expected_value } => {
            format!("must be {}; got {}", clip(expected_value), got())
        }
        Kind::Minimum { limit } => format!("must be at least {limit}; got {}", got()),
        Kind::Maximum { limit } => format!("must be at most {limit}; got {}", got()),
        Kind::ExclusiveMinimum { limit } => format!("must be greater than {limit}; got {}", got()),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}; got {}", got()),
        Kind::MultipleOf { multiple_of } => {
            format!("must be a multiple of {multiple_of}; got {}", got())
        }
        Kind::MinLength { limit } => format!(
            "must have at least {}; got {}",
            plural(*limit, "character", "characters"),
            got()
        ),
        Kind::MaxLength { limit } => format!(
            "must have at most {}; got {}",
            plural(*limit, "character", "characters"),
            value.as_str().map_or(0, |s| s.chars().count())
        ),
        Kind::MinItems { limit } => {
            format!("must have at least {}; got {}", plural(*limit, "item", "items"), items(value))
        }
        Kind::MaxItems { limit } => {
            format!("must have at most {}; got {}", plural(*limit, "item", "items"), items(value))
        }
        Kind::MinProperties { limit } => format!(
            "must have at least {}; got {}",
            plural(*limit, "property", "properties"),
            value.as_object().map_or(0, |o| o.len())
        ),
        Kind::MaxProperties { limit } => format!(
            "must have at most {}; got {}",
            plural(*limit, "property", "properties"),
            value.as_object().map_or(0, |o| o.len())
        ),
        Kind::Pattern { pattern } => format!(
            "must match the regular expression {}; got {}",
            clip(&Value::from(pattern.as_str())),
            got()
        ),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "matching the pattern took too much work; a shorter or simpler text is needed"
                .to_string()
        }
        Kind::Format { format } => format!("must be a valid {format}; got {}", got()),
        Kind::UniqueItems => "all items must be different".to_string(),
        Kind::Contains => match keyword(error).as_str() {
            "maxContains" => "too many items match what the array must contain".to_string(),
            "minContains" => "too few items match what the array must contain".to_string(),
            _ => "no item matches what the array must contain".to_string(),
        },
        Kind::FalseSchema => "no value is allowed here; leave it out".to_string(),
        Kind::Not { schema } => format!("must not match {}; got {}", clip(schema), got()),
        Kind::PropertyNames { error } => format!(
            "the property name {} is not allowed: {}",
            clip(error.instance().as_ref()),
            sentence(error, root, levels)
        ),
        Kind::AnyOf { context } => {
            format!(
                "matches none of the {} alternatives{}",
                context.len(),
                nearest(context, root, levels)
            )
        }
        Kind::OneOfNotValid { context } => format!(
            "matches none of the {} alternatives, of which it must match one{}",
            context.len(),
            nearest(context, root, levels)
        ),
        Kind::OneOfMultipleValid { context } => {
            let valid: Vec<String> = context
                .iter()
                .enumerate()
                .filter(|(_, errors)| errors.is_empty())
                .map(|(index, _)| (index + 1).to_string())
                .collect();
            format!(
                "matches more than one of the {} alternatives ({}); it must match exactly one",
                context.len(),
                list(&valid)
            )
        }
        Kind::ContentEncoding { content_encoding } => format!("must be valid {content_encoding}"),
        Kind::ContentMediaType { content_media_type } => {
            format!("must be valid {content_media_type}")
        }
        Kind::FromUtf8 { .. } => "the encoded content must be UTF-8".to_string(),
        Kind::Custom { message, .. } => message.clone(),
        Kind::Referencing(cause) => cause.to_string(),
    }
}

/// Of the alternatives, the one that gets furthest into the value, then the one with the fewest
/// faults.
fn nearest(context: &[Vec<ValidationError<'static>>], root: &Value, levels: usize) -> String {
    if levels == 0 {
        return String::new();
    }
    let deepest = |errors: &Vec<ValidationError>| {
        errors.iter().map(|e| e.instance_path().as_str().matches('/').count()).max().unwrap_or(0)
    };
    let best = context
        .iter()
        .enumerate()
        .filter(|(_, errors)| !errors.is_empty())
        .min_by_key(|(_, errors)| (usize::MAX - deepest(errors), errors.len()));
    let Some((index, errors)) = best else {
        return String::new();
    };
    let error = &errors[0];
    let path = error.instance_path().as_str();
    let place = if path.is_empty() { String::new() } else { format!("at {path}: ") };
    format!("; nearest is number {}: {place}{}", index + 1, sentence(error, root, levels - 1))
}

/// What the object may have instead, as far as the schema beside the keyword says.
fn allowed_properties(error: &ValidationError, root: &Value) -> String {
    let path = error.schema_path().as_str();
    let parent = path.rfind('/').map_or("", |end| &path[..end]);
    let schema = root.pointer(parent);
    let names: Vec<String> = schema
        .and_then(|s| s.get("properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default();
    let patterns: Vec<String> = schema
        .and_then(|s| s.get("patternProperties"))
        .and_then(Value::as_object)
        .map(|patterns| patterns.keys().cloned().collect())
        .unwrap_or_default();
    match (names.is_empty(), patterns.is_empty()) {
        (true, true) => "no others are allowed".to_string(),
        (false, true) => format!("allowed: {}", quoted(&names)),
        (true, false) => format!("allowed: names that match {}", quoted(&patterns)),
        (false, false) => {
            format!("allowed: {}, and names that match {}", quoted(&names), quoted(&patterns))
        }
    }
}

fn expected_types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(single) => single.to_string(),
        TypeKind::Multiple(several) => {
            let names: Vec<String> = several.iter().map(|t| t.to_string()).collect();
            names.join(" or ")
        }
    }
}

fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        Value::Bool(_) => format!("the boolean {value}"),
        Value::Number(_) => format!("the number {value}"),
        Value::String(_) => format!("the string {}", clip(value)),
        Value::Array(_) => format!("the array {}", clip(value)),
        Value::Object(_) => format!("the object {}", clip(value)),
    }
}

fn items(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn counted(one: &str, many: &str, count: usize, rest: String) -> String {
    format!("{} {rest}", if count == 1 { one } else { many })
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|n| clip(&Value::from(n.as_str()))).collect();
    list(&names)
}

fn list(names: &[String]) -> String {
    let mut text = String::new();
    for (index, name) in names.iter().enumerate() {
        if index == MAX_LISTED {
            let _ = write!(text, " and {} more", names.len() - MAX_LISTED);
            break;
        }
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(name);
    }
    text
}

/// The value's JSON text, cut after `MAX_VALUE_BYTES`; a long value is not even written out.
pub fn clip(value: &Value) -> String {
    struct Clip(String);
    impl Write for Clip {
        fn write_str(&mut self, part: &str) -> fmt::Result {
            let kept = prefix(part, MAX_VALUE_BYTES - self.0.len());
            self.0.push_str(kept);
            if kept.len() == part.len() {
                Ok(())
            } else {
                Err(fmt::Error) // stops the writer
            }
        }
    }
    let mut clip = Clip(String::new());
    if write!(clip, "{}", DisplayOf(value)).is_err() {
        clip.0.push_str("...");
    }
    clip.0
}

/// A long string is cut before it is escaped.
struct DisplayOf<'a>(&'a Value);

impl Display for DisplayOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Value::String(text) if text.len() > MAX_VALUE_BYTES => {
                let quoted = Value::from(prefix(text, MAX_VALUE_BYTES)).to_string();
                // Without the closing quote; the clip adds its dots.
                f.write_str(&quoted[..quoted.len() - 1])?;
                Err(fmt::Error)
            }
            value => value.fmt(f),
        }
    }
}

/// At most `max` bytes, up to the end of a character.
fn prefix(text: &str, max: usize) -> &str {
    let mut end = max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
