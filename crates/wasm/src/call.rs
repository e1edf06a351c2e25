//! Calls into the module, and instances that a fault has ended.

use crate::failure::Failure;
use shisa::diag::Diagnostic;
use std::cell::{Cell, RefCell};
use std::panic;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Whether a call has begun and not returned. A panic and a full stack end calls without a return.
    static RUNNING: Cell<bool> = const { Cell::new(false) };
    /// The message of the panic that ended the instance.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

#[wasm_bindgen(raw_module = "./glue.js")]
extern "C" {
    /// Reports the message of a panic to the host.
    #[wasm_bindgen(js_name = reportPanic)]
    fn report_panic(message: &str);
}

/// Makes panics known to the host, as the instance starts.
#[wasm_bindgen(start)]
fn start() {
    panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        report_panic(&message);
        PANIC.with_borrow_mut(|panic| *panic = Some(message));
    }));
}

/// Runs the body of a function for JavaScript.
///
/// # Errors
/// `internal-panic` if an earlier call did not return; the failures of `body`.
pub(crate) fn call<T>(body: impl FnOnce() -> Result<T, Failure>) -> Result<T, JsValue> {
    if RUNNING.replace(true) {
        return Err(stopped().into());
    }
    let done = body();
    RUNNING.set(false);
    done.map_err(JsValue::from)
}

/// The reason why an instance takes no more calls.
fn stopped() -> Failure {
    let reason = PANIC.with_borrow(|panic| match panic {
        Some(message) => format!("an earlier call ended this instance: {message}"),
        None => "an earlier call ended this instance: it did not return, probably for lack of stack".into(),
    });
    Failure::of(
        Diagnostic::internal("internal-panic", reason).help("make a new instance, such as in a new worker"),
    )
}
