//! The inputs of kernels as JSON.

use super::keys::KEYS;
use super::watch::Watch;
use super::{KernelCode, KernelOutput, KernelRun};
use crate::run::{TraceSink, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::Value;
use shisa_eval::NoObserver;
use shisa_maxwell::launch::{Kernel, Launch, STACK};
use shisa_run::{from_base64, from_hex, to_base64};
use std::collections::BTreeMap;

/// An input, in the form of the conformance data.
#[derive(Deserialize)]
pub(super) struct Input {
    /// The name of the kernel in a cubin of several.
    pub(super) kernel: Option<String>,
    grid: [u32; 3],
    block: [u32; 3],
    #[serde(default)]
    dynamic_shared: u32,
    /// Bytes of shared memory, where no cubin states them.
    #[serde(default)]
    shared: u32,
    /// Bytes of a thread's stack; 0 leaves them to the cubin.
    #[serde(default)]
    stack: u32,
    #[serde(default)]
    params: String,
    /// Banks of constants by number, in hexadecimal.
    #[serde(default)]
    constants: BTreeMap<u8, String>,
    #[serde(default)]
    buffers: Vec<Buffer>,
}

#[derive(Deserialize)]
struct Buffer {
    address: Address,
    data: String,
    expected: Option<String>,
}

/// An address: a number, or a text such as `0x1000`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Address {
    Number(u64),
    Text(String),
}

impl Address {
    fn value(&self) -> Result<u64> {
        match self {
            Address::Number(n) => Ok(*n),
            Address::Text(text) => text
                .strip_prefix("0x")
                .map_or_else(|| text.parse().ok(), |digits| u64::from_str_radix(digits, 16).ok())
                .ok_or_else(|| wrong(format!("\"{}\" is not an address", shisa_diag::escape(text)))),
        }
    }
}

impl Input {
    /// Reads a text.
    ///
    /// # Errors
    /// `run-input` if it has another form or an unknown key.
    pub(super) fn read(text: &str) -> Result<Input> {
        KEYS.check(text)?;
        serde_json::from_str(text).map_err(|e| wrong(e.to_string()))
    }

    /// The first address after all buffers, where the kernel's own memory can begin.
    pub(super) fn free(&self) -> Result<u64> {
        /// Above the windows.
        const LOWEST: u64 = 1 << 32;
        let mut free = LOWEST;
        for buffer in &self.buffers {
            free = free.max(buffer.address.value()?.saturating_add(buffer.data.len() as u64));
        }
        Ok(free)
    }

    /// The run of a kernel.
    ///
    /// # Errors
    /// `run-input` for contents that are not base64 or hexadecimal.
    pub(super) fn run(&self, mut kernel: Kernel) -> Result<KernelRun> {
        let stack = Some(self.stack).filter(|bytes| *bytes > 0).or(kernel.stack).unwrap_or(STACK);
        for (number, text) in &self.constants {
            let bytes = hex(text, || format!("bank {number} of the constants"))?;
            kernel.banks.insert(*number, bytes);
        }
        let buffer = |(i, buffer): (usize, &Buffer)| {
            let bytes = from_base64(&buffer.data)
                .ok_or_else(|| wrong(format!("the data of buffer {i} is not base64")))?;
            Ok((buffer.address.value()?, bytes))
        };
        Ok(KernelRun {
            launch: Launch {
                grid: self.grid,
                block: self.block,
                shared: kernel.shared.max(self.shared),
                dynamic_shared: self.dynamic_shared,
                stack,
                registers: kernel.registers,
                parameters: hex(&self.params, || "the parameters".into())?,
            },
            buffers: self.buffers.iter().enumerate().map(buffer).collect::<Result<_>>()?,
            kernel,
        })
    }

    /// Writes the contents of the buffers that changed, or that state what is expected, into an input.
    fn fill(&self, filled: &mut Value, run: &KernelRun, output: &KernelOutput) {
        let buffers = filled.get_mut("buffers").and_then(Value::as_array_mut);
        let contents = run.buffers.iter().zip(&output.buffers).zip(&self.buffers);
        for (buffer, (((_, before), after), given)) in buffers.into_iter().flatten().zip(contents) {
            if let (Some(buffer), true) = (buffer.as_object_mut(), before != after || given.expected.is_some()) {
                buffer.insert("expected".into(), to_base64(after).into());
            }
        }
        if let Some(filled) = filled.as_object_mut() {
            filled.insert("executed".into(), output.executed.into());
        }
    }
}

fn hex(text: &str, what: impl Fn() -> String) -> Result<Vec<u8>> {
    from_hex(text).ok_or_else(|| wrong(format!("{} are not hexadecimal", what())))
}

/// Runs a kernel on an input, and fills in the results. `text` is the input's text, whose lines errors name.
pub(super) fn filled(
    kernel: Kernel,
    (input, text): (&Input, &str),
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<Value> {
    let run = input.run(kernel)?;
    let code = KernelCode::new(&run.kernel)?;
    let output = match trace.needs_steps() {
        true => code.run(&run, &mut Watch::new(code.lifted(), trace), settings)?,
        false => code.run(&run, &mut NoObserver, settings)?,
    };
    let mut filled: Value = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    input.fill(&mut filled, &run, &output);
    Ok(filled)
}
