//! Recorded runs.

use crate::call::call;
use crate::convert;
use crate::failure::Failure;
use crate::opened::Opened;
use serde::Deserialize;
use serde_json::json;
use shisa::data::debug::{Captured, Commands, Reply, captured};
use shisa::diag::Diagnostic;
use shisa_verbs::text_of;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The default of the largest size of a recording in MiB.
const MEMORY: usize = 64;

/// What is recorded.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct DebugOptions {
    /// Which run, from 1, of an input that runs several programs.
    run: usize,
    /// The largest size of the recording in MiB.
    memory: usize,
}

impl Default for DebugOptions {
    fn default() -> DebugOptions {
        DebugOptions { run: 1, memory: MEMORY }
    }
}

/// A recorded run that commands look at in both directions. `free` releases its memory.
#[wasm_bindgen]
pub struct Session {
    commands: Commands,
}

/// Records a run of a program.
///
/// # Errors
/// What the run refuses; `debug-run` if there is no such run.
pub(crate) fn begin(
    file: &Opened,
    number: usize,
    input: &str,
    options: &JsValue,
) -> Result<Session, Failure> {
    let DebugOptions { run, memory } = convert::options(options)?;
    let program = file.program(number)?;
    let runs = captured(|trace| program.run_traced(input, trace)).map_err(|e| file.failed(e))?;
    let captured = Captured::choose(runs, run).map_err(Failure::of)?;
    let mut session = captured.session(memory.saturating_mul(1 << 20));
    if let Some(text) = text_of(session.lines(), file.name(), file.bytes(), file.settings()) {
        session.set_text(text);
    }
    Ok(Session { commands: Commands::new(session) })
}

#[wasm_bindgen]
impl Session {
    /// Runs a command of `shisa debug`, such as `step` or `why r0`; `help` lists them.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub fn command(&mut self, line: &str) -> Result<JsValue, JsValue> {
        call(|| match self.commands.run(line).map_err(Failure::of)? {
            Reply::Answer(answer) => convert::object(&json!({ "output": answer.text, "data": answer.data })),
            Reply::Save(_) => {
                let d = Diagnostic::error("debug-session", "a session of JavaScript is not saved to a file");
                Err(Failure::of(d.help("repeat its commands")))
            }
            Reply::Quit => convert::object(&json!({ "output": "", "data": null })),
        })
    }

    /// The position, as the command `where` answers.
    #[wasm_bindgen(unchecked_return_type = "Answer['data']")]
    pub fn state(&mut self) -> Result<JsValue, JsValue> {
        call(|| match self.commands.query("where").map_err(Failure::of)? {
            Reply::Answer(answer) => convert::object(&answer.data),
            Reply::Save(_) | Reply::Quit => Ok(JsValue::NULL),
        })
    }

    /// The source or the listing of the program, with the line of each instruction.
    #[wasm_bindgen(unchecked_return_type = "SessionText")]
    pub fn text(&self) -> Result<JsValue, JsValue> {
        call(|| {
            let text = self.commands.session().text();
            let lines: Vec<_> = text
                .lines()
                .filter_map(|line| Some(json!({ "line": line + 1, "counter": text.instruction(line)?.1 })))
                .collect();
            convert::object(&json!({
                "name": text.name(), "isSource": text.path().is_some(), "text": text.text(), "lines": lines,
            }))
        })
    }
}
