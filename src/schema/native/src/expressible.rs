//! Which JSON Schemas a constraint can express exactly. llguidance refuses most of what it cannot
//! do; here are the cases that it lets through, and names and places for the common ones.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::guard::{Failure, Status};

/// Keywords that restrict values and cannot become part of a grammar.
const REFUSED: [&str; 12] = [
    "$dynamicRef",
    "$recursiveRef",
    "contains",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "not",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// Integers beyond this are not exact in the engine's arithmetic.
const MAX_EXACT: i64 = (1 << 53) - 1;

/// `root` without the keywords that have no effect, or the reason why it cannot be expressed.
pub fn check(mut root: Value) -> Result<Value, Failure> {
    let mut scan = Scan::default();
    scan.schema(&mut root, "")?;
    // Pointers are followed in the text; any other reference may lead to any definition.
    while let Some(pointer) = scan.targets.pop() {
        if scan.visited.insert(pointer.clone()) {
            if let Some(target) = root.pointer_mut(&pointer) {
                scan.schema(target, &pointer)?;
            }
        }
    }
    Ok(root)
}

#[derive(Default)]
struct Scan {
    targets: Vec<String>,
    visited: HashSet<String>,
}

impl Scan {
    fn schema(&mut self, schema: &mut Value, path: &str) -> Result<(), Failure> {
        let Value::Object(members) = schema else {
            return Ok(());
        };
        remove_ineffective(members);
        clamp_bounds(members);
        refuse_keywords(members, path)?;
        refuse_inexact_numbers(members, path)?;
        self.note_reference(members);
        for (key, member) in members.iter_mut() {
            let path = format!("{path}/{}", escaped(key));
            match key.as_str() {
                "additionalItems" | "additionalProperties" => self.schema(member, &path)?,
                "items" if member.is_object() => self.schema(member, &path)?,
                "items" | "prefixItems" | "allOf" | "anyOf" | "oneOf" => {
                    for (index, item) in member.as_array_mut().into_iter().flatten().enumerate() {
                        self.schema(item, &format!("{path}/{index}"))?;
                    }
                }
                "properties" | "patternProperties" => {
                    for (name, item) in member.as_object_mut().into_iter().flatten() {
                        self.schema(item, &format!("{path}/{}", escaped(name)))?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn note_reference(&mut self, members: &Map<String, Value>) {
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            if let Some(pointer) = reference.strip_prefix('#') {
                self.targets.push(percent_decoded(pointer));
            }
        }
    }
}

fn remove_ineffective(members: &mut Map<String, Value>) {
    if members.get("uniqueItems") == Some(&Value::Bool(false)) {
        members.shift_remove("uniqueItems");
    }
    if !members.contains_key("contains") {
        members.shift_remove("minContains");
        members.shift_remove("maxContains");
    }
    if !members.contains_key("if") {
        members.shift_remove("then");
        members.shift_remove("else");
    }
}

fn refuse_keywords(members: &Map<String, Value>, path: &str) -> Result<(), Failure> {
    if let Some(keyword) = REFUSED.into_iter().find(|k| members.contains_key(*k)) {
        return Err(refused(keyword, path, "has no equivalent in a grammar"));
    }
    if members.contains_key("prefixItems") && members.contains_key("additionalItems") {
        return Err(refused("additionalItems", path, "beside \"prefixItems\" is ambiguous"));
    }
    Ok(())
}

/// Limits of 64-bit integers become the nearest exact ones, which is narrower and thus still right.
fn clamp_bounds(members: &mut Map<String, Value>) {
    for (key, member) in members.iter_mut() {
        match key.as_str() {
            "maximum" | "exclusiveMaximum" if is_inexact(member) && member.as_f64() > Some(0.0) => {
                *member = Value::from(MAX_EXACT);
            }
            "minimum" | "exclusiveMinimum" if is_inexact(member) && member.as_f64() < Some(0.0) => {
                *member = Value::from(-MAX_EXACT);
            }
            _ => {}
        }
    }
}

fn refuse_inexact_numbers(members: &Map<String, Value>, path: &str) -> Result<(), Failure> {
    const NUMERIC: [&str; 7] = [
        "const",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maximum",
        "minimum",
        "multipleOf",
    ];
    for keyword in NUMERIC {
        if members.get(keyword).is_some_and(has_inexact_number) {
            return Err(refused(keyword, path, "has an integer of more than 53 bits"));
        }
    }
    Ok(())
}

fn has_inexact_number(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_inexact_number),
        Value::Object(members) => members.values().any(has_inexact_number),
        other => is_inexact(other),
    }
}

/// Numbers with a fraction or an exponent are doubles for everybody.
fn is_inexact(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => false,
        Value::Number(number) => {
            number.as_i64().is_none_or(|n| n.unsigned_abs() > MAX_EXACT.unsigned_abs())
        }
        _ => false,
    }
}

pub fn refused(keyword: &str, path: &str, why: &str) -> Failure {
    let place = if path.is_empty() { "the root" } else { path };
    let message = format!("\"{keyword}\" at {place} {why}; use it for validation only");
    Failure::new(Status::ConstraintUnsupported, message).at(path).keyword(keyword)
}

fn escaped(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = bytes
            .get(i + 1..i + 3)
            .filter(|_| bytes[i] == b'%')
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) => {
                decoded.push(byte);
                i += 3;
            }
            None => {
                decoded.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
