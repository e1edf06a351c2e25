//! The inputs of CUDA kernels as JSON.

use super::{KernelOutput, KernelRun};
use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use serde_json::Value;
use shisa_eval::TextureSet;
use shisa_maxwell::launch::{Driver, Kernel, Launch, STACK};
use shisa_run::{from_base64, from_hex, to_base64};
use std::collections::BTreeMap;

/// The first address that is free if an input names no buffers: above the windows.
pub(super) const FREE: u64 = 1 << 32;

/// An input for a kernel of a cubin, or for bare code.
#[derive(Deserialize)]
pub(super) struct Input {
    grid: [u32; 3],
    block: [u32; 3],
    #[serde(default)]
    dynamic_shared: u32,
    /// Bytes of shared memory, where no cubin states them.
    #[serde(default)]
    shared: u32,
    /// Bytes of a thread's local memory from address 0, where no container states them.
    #[serde(default)]
    local: u32,
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
    /// The first address after all buffers, where the kernel's own memory can begin.
    pub(super) fn free(&self) -> Result<u64> {
        let mut free = FREE;
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
        // What a cubin states leaves out functions that the compiler's library brings in.
        let stated = kernel.stack.unwrap_or(0).max(STACK);
        let stack = Some(self.stack).filter(|bytes| *bytes > 0).unwrap_or(stated);
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
                driver: Driver::Cuda,
                local: kernel.local.max(self.local),
                registers: kernel.registers,
                parameters: hex(&self.params, || "the parameters".into())?,
            },
            buffers: self.buffers.iter().enumerate().map(buffer).collect::<Result<_>>()?,
            textures: TextureSet::new(),
            kernel,
        })
    }

    /// Writes the contents of the buffers that changed, or that state what is expected, into an input.
    pub(super) fn fill(&self, filled: &mut Value, run: &KernelRun, output: &KernelOutput) {
        let buffers = filled.get_mut("buffers").and_then(Value::as_array_mut);
        let contents = run.buffers.iter().zip(&output.buffers).zip(&self.buffers);
        for (buffer, (((_, before), after), given)) in buffers.into_iter().flatten().zip(contents) {
            if let (Some(buffer), true) =
                (buffer.as_object_mut(), before != after || given.expected.is_some())
            {
                buffer.insert("expected".into(), to_base64(after).into());
            }
        }
    }
}

fn hex(text: &str, what: impl Fn() -> String) -> Result<Vec<u8>> {
    from_hex(text).ok_or_else(|| wrong(format!("{} are not hexadecimal", what())))
}
