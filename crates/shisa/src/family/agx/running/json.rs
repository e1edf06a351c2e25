//! Programs and buffers as JSON: what inputs for compute programs and for programs that draw share.

use super::Preamble;
use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use serde_json::Value;
use shisa_agx::part::STACK_UNIT;
use shisa_run::{from_base64, from_hex, to_base64};

#[derive(Deserialize)]
pub(super) struct Buffer {
    addr: u64,
    data: String,
}

#[derive(Deserialize)]
pub(super) struct Part {
    #[serde(default)]
    pub(super) code: String,
    pub(super) meta: Meta,
}

#[derive(Deserialize)]
pub(super) struct Meta {
    #[serde(default)]
    pub(super) id: String,
    /// In a linked program: its code.
    #[serde(default)]
    pub(super) kind: String,
    /// In a linked program: its main part.
    #[serde(default)]
    pub(super) main: String,
    #[serde(default)]
    pub(super) main_offset: usize,
    pub(super) main_size: Option<usize>,
    #[serde(default)]
    pub(super) has_preamble: u8,
    #[serde(default)]
    pub(super) preamble_offset: usize,
    #[serde(default)]
    pub(super) scratch_size: usize,
    #[serde(default)]
    pub(super) preamble_scratch_size: usize,
    #[serde(default)]
    pub(super) local_size: usize,
    #[serde(default)]
    pub(super) imageblock_stride: u32,
    #[serde(default)]
    pub(super) rodata: Rodata,
}

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct Rodata {
    pub(super) offset: usize,
    pub(super) base_uniform: usize,
    pub(super) size_16: usize,
}

impl Meta {
    /// Bytes of a thread's stack. `preamble` is the metadata of the part whose preamble runs first.
    pub(super) fn stack(&self, preamble: &Meta) -> usize {
        let words = self.scratch_size.max(preamble.preamble_scratch_size);
        words.saturating_mul(STACK_UNIT as usize)
    }
}

impl Part {
    /// All of its bytes.
    pub(super) fn bytes(&self) -> Result<Vec<u8>> {
        from_hex(&self.code).ok_or_else(|| wrong("the code is not hexadecimal"))
    }

    /// The preamble that sets its uniforms.
    ///
    /// # Errors
    /// `run-input` if the preamble is outside of the code.
    pub(super) fn preamble(&self) -> Result<Preamble> {
        let (bytes, Rodata { offset, base_uniform, size_16 }) = (self.bytes()?, self.meta.rodata);
        let end = size_16.checked_mul(2).and_then(|n| offset.checked_add(n));
        let constants = end.and_then(|end| bytes.get(offset..end));
        let constants = constants.ok_or_else(|| wrong("the constants are outside of the code"))?.to_vec();
        let code = match self.meta.has_preamble {
            0 => Vec::new(),
            _ => {
                let rest = bytes.get(self.meta.preamble_offset..).unwrap_or_default();
                let code = shisa_agx::up_to_trap(rest);
                if code.is_empty() {
                    return Err(wrong("the preamble is outside of the code"));
                }
                code.to_vec()
            }
        };
        Ok(Preamble { code, first: base_uniform, constants })
    }
}

/// Addresses and contents of buffers.
pub(super) fn buffers(list: &[Buffer]) -> Result<Vec<(u64, Vec<u8>)>> {
    let buffer = |b: &Buffer| {
        let bytes = from_base64(&b.data).ok_or_else(|| wrong("the data of a buffer is not base64"))?;
        Ok((b.addr, bytes))
    };
    list.iter().map(buffer).collect()
}

/// Writes the contents of buffers into an input as `expect`.
pub(super) fn filled_buffers(input: &mut Value, contents: &[Vec<u8>]) {
    let buffers = input.get_mut("buffers").and_then(Value::as_array_mut);
    for (buffer, bytes) in buffers.into_iter().flatten().zip(contents) {
        if let Some(buffer) = buffer.as_object_mut() {
            buffer.insert("expect".into(), to_base64(bytes).into());
            buffer.remove("expect_hw");
        }
    }
}

/// A program to run: a part or a linked program as JSON, or bare code.
pub(super) enum Runnable<'a> {
    /// JSON with code and metadata.
    Json(Value),
    /// Code.
    Code(&'a [u8]),
}

impl Runnable<'_> {
    /// The part, if the program is JSON.
    pub(super) fn part(&self) -> Result<Option<Part>> {
        match self {
            Runnable::Json(json) => Part::deserialize(json).map(Some).map_err(|e| wrong(e.to_string())),
            Runnable::Code(_) => Ok(None),
        }
    }
}
