//! The schema core of Ingle: JSON Schema validation (jsonschema) and constrained decoding
//! (llguidance) behind the C functions of ingle_schema_native.h, where their contract stands.

mod constraint;
mod expressible;
mod faults;
mod guard;
mod schema;

use std::slice;

use constraint::{Constraint, Matcher, TokenTable};
use guard::{guarded, quietly, Failure, Status, Text};
use schema::Schema;

/// # Safety
/// `data` must be readable for `size` bytes, or `size` 0.
unsafe fn slice_of<'a, T>(data: *const T, size: usize) -> &'a [T] {
    if size == 0 {
        &[]
    } else {
        slice::from_raw_parts(data, size)
    }
}

/// # Safety
/// As `slice_of`.
unsafe fn text_of<'a>(data: *const u8, size: usize, status: Status) -> Result<&'a str, Failure> {
    std::str::from_utf8(slice_of(data, size)).map_err(|e| {
        Failure::new(status, format!("the text is not valid UTF-8 at byte {}", e.valid_up_to()))
    })
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_schema_compile(
    text: *const u8,
    size: usize,
    out: *mut *mut Schema,
    error: *mut Text,
) -> i32 {
    guarded(error, || {
        let text = text_of(text, size, Status::SchemaInvalid)?;
        *out = Box::into_raw(Box::new(Schema::compile(text)?));
        Ok(())
    })
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_schema_validate(
    schema: *const Schema,
    text: *const u8,
    size: usize,
    max_faults: usize,
    faults: *mut Text,
    error: *mut Text,
) -> i32 {
    guarded(error, || {
        let text = text_of(text, size, Status::JsonInvalid)?;
        *faults = Text::from((*schema).validate(text, max_faults)?);
        Ok(())
    })
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_schema_free(schema: *mut Schema) {
    quietly(|| {
        if !schema.is_null() {
            drop(Box::from_raw(schema));
        }
    });
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_tokens_create(
    bytes: *const u8,
    offsets: *const usize,
    count: usize,
    ends: *const u32,
    end_count: usize,
    out: *mut *mut TokenTable,
    error: *mut Text,
) -> i32 {
    guarded(error, || {
        let offsets = slice_of(offsets, count + 1);
        let bytes = slice_of(bytes, offsets[count]);
        let words = offsets.windows(2).map(|w| bytes[w[0]..w[1]].to_vec()).collect();
        let ends = slice_of(ends, end_count);
        *out = Box::into_raw(Box::new(TokenTable::create(words, ends)?));
        Ok(())
    })
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_tokens_free(tokens: *mut TokenTable) {
    quietly(|| {
        if !tokens.is_null() {
            drop(Box::from_raw(tokens));
        }
    });
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_constraint_compile(
    tokens: *const TokenTable,
    kind: i32,
    text: *const u8,
    size: usize,
    out: *mut *mut Constraint,
    error: *mut Text,
) -> i32 {
    guarded(error, || {
        let text = text_of(text, size, Status::ConstraintInvalid)?;
        *out = Box::into_raw(Box::new(Constraint::compile(&*tokens, kind, text)?));
        Ok(())
    })
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_constraint_free(constraint: *mut Constraint) {
    quietly(|| {
        if !constraint.is_null() {
            drop(Box::from_raw(constraint));
        }
    });
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_constraint_start(
    constraint: *const Constraint,
    out: *mut *mut Matcher,
    error: *mut Text,
) -> i32 {
    guarded(error, || {
        *out = Box::into_raw(Box::new((*constraint).start()?));
        Ok(())
    })
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_matcher_mask(
    matcher: *mut Matcher,
    words: *mut u32,
    word_count: usize,
    error: *mut Text,
) -> i32 {
    guarded(error, || (*matcher).mask(slice::from_raw_parts_mut(words, word_count)))
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_matcher_accept(
    matcher: *mut Matcher,
    token: u32,
    error: *mut Text,
) -> i32 {
    guarded(error, || (*matcher).accept(token))
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_matcher_state(
    matcher: *mut Matcher,
    is_accepting: *mut bool,
    is_finished: *mut bool,
    error: *mut Text,
) -> i32 {
    guarded(error, || {
        (*is_accepting, *is_finished) = (*matcher).state()?;
        Ok(())
    })
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_matcher_free(matcher: *mut Matcher) {
    quietly(|| {
        if !matcher.is_null() {
            drop(Box::from_raw(matcher));
        }
    });
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_schema_text_free(text: Text) {
    text.free();
}

/// # Safety
/// See the header.
#[no_mangle]
pub unsafe extern "C" fn ingle_schema_selftest_panic(error: *mut Text) -> i32 {
    guarded(error, || panic!("a panic on purpose"))
}
