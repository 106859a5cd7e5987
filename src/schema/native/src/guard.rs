//! What every C function stands on: panics become errors, strings change owner, deep recursion
//! runs on a stack that is large enough for it.

use std::any::Any;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Once;
use std::{panic, ptr, thread};

use serde_json::json;

/// The values of `ingle_schema_status`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    SchemaInvalid = 1,
    SchemaUnsupported = 2,
    ConstraintInvalid = 3,
    ConstraintUnsupported = 4,
    ConstraintTooComplex = 5,
    TokenTableInvalid = 6,
    TokenNotAllowed = 7,
    DeadEnd = 8,
    JsonInvalid = 9,
    Failed = 10,
    SchemaTooComplex = 11,
}

#[derive(Debug)]
pub struct Failure {
    pub status: Status,
    pub message: String,
    /// JSON pointer into the schema.
    pub path: Option<String>,
    pub keyword: Option<String>,
}

impl Failure {
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        Failure { status, message: message.into(), path: None, keyword: None }
    }

    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    pub fn keyword(mut self, keyword: impl Into<String>) -> Self {
        self.keyword = Some(keyword.into());
        self
    }

    fn to_json(&self) -> String {
        let mut object = json!({ "message": self.message });
        if let Some(path) = &self.path {
            object["path"] = json!(path);
        }
        if let Some(keyword) = &self.keyword {
            object["keyword"] = json!(keyword);
        }
        object.to_string()
    }
}

/// `ingle_schema_text`: owned by us until `ingle_schema_text_free`.
#[repr(C)]
pub struct Text {
    data: *mut u8,
    size: usize,
}

impl Text {
    const EMPTY: Text = Text { data: ptr::null_mut(), size: 0 };

    /// # Safety
    /// `self` came from `Text::from`, once.
    pub unsafe fn free(self) {
        if !self.data.is_null() {
            drop(Box::from_raw(ptr::slice_from_raw_parts_mut(self.data, self.size)));
        }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        let bytes = Box::leak(text.into_bytes().into_boxed_slice());
        Text { data: bytes.as_mut_ptr(), size: bytes.len() }
    }
}

thread_local! {
    static GUARD_DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Panics on a guarded thread are reported as errors, so they print nothing and take no backtrace.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // llguidance installs a hook at its first catch; it has to come before ours.
        let _ = llguidance::panic_utils::catch_unwind(|| Ok(()));
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if GUARD_DEPTH.with(Cell::get) == 0 {
                previous(info);
            }
        }));
    });
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        text
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text
    } else {
        "no message"
    }
}

/// Runs `f`; a panic in it becomes `Status::Failed`.
pub fn catch<R>(f: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    install_hook();
    GUARD_DEPTH.with(|depth| depth.set(depth.get() + 1));
    let result = catch_unwind(AssertUnwindSafe(f));
    GUARD_DEPTH.with(|depth| depth.set(depth.get() - 1));
    result.unwrap_or_else(|payload| {
        let message = format!("panic: {}", panic_text(payload.as_ref()));
        Err(Failure::new(Status::Failed, message))
    })
}

/// The body of a fallible C function.
///
/// # Safety
/// `error` is writable.
pub unsafe fn guarded(error: *mut Text, f: impl FnOnce() -> Result<(), Failure>) -> i32 {
    *error = Text::EMPTY;
    match catch(f) {
        Ok(()) => 0,
        Err(failure) => {
            *error = Text::from(failure.to_json());
            failure.status as i32
        }
    }
}

/// The body of a C function that cannot report: a panic while freeing leaks.
pub fn quietly(f: impl FnOnce()) {
    let _ = catch(|| {
        f();
        Ok(())
    });
}

/// Runs `f` on a thread with `stack` bytes of stack: overflow cannot be caught, so code whose
/// recursion follows a hostile schema gets a stack that its bounds cannot exhaust. The pages are
/// reserved only; those never touched cost nothing.
/// `otherwise` is the status when there is no room for such a stack.
pub fn with_stack<R: Send>(
    stack: usize,
    otherwise: Status,
    f: impl FnOnce() -> Result<R, Failure> + Send,
) -> Result<R, Failure> {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .name("ingle-schema".to_string())
            .stack_size(stack)
            .spawn_scoped(scope, || catch(f))
            .map_err(|e| Failure::new(otherwise, format!("no thread with a large stack: {e}")))?;
        worker
            .join()
            .unwrap_or_else(|_| Err(Failure::new(Status::Failed, "the worker thread died")))
    })
}
