//! Code without a container.

use crate::Isa;
use shisa_ir::Stage;

/// Code without a container, as emulators have it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Code<'a> {
    /// Its instruction set.
    pub isa: Isa,
    /// The bytes of its instructions.
    pub bytes: Vec<u8>,
    /// The operand descriptors, for PICA200.
    pub descriptors: &'a [u32],
    /// Its stage. With `None`, the stage of the settings, else the most usual one.
    pub stage: Option<Stage>,
    /// The index of the instruction that runs first.
    pub entry: u32,
}

impl<'a> Code<'a> {
    /// Code as bytes.
    pub fn bytes(isa: Isa, bytes: &[u8]) -> Code<'a> {
        Code { isa, bytes: bytes.to_vec(), descriptors: &[], stage: None, entry: 0 }
    }

    /// Code as 32-bit words.
    pub fn words(isa: Isa, words: &[u32]) -> Code<'a> {
        let bytes = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Code { bytes, ..Code::bytes(isa, &[]) }
    }

    /// Sets the operand descriptors, for PICA200.
    pub fn descriptors(mut self, descriptors: &'a [u32]) -> Code<'a> {
        self.descriptors = descriptors;
        self
    }

    /// Sets the stage.
    pub fn stage(mut self, stage: Stage) -> Code<'a> {
        self.stage = Some(stage);
        self
    }

    /// Sets the entry: the index of the instruction that runs first.
    pub fn entry(mut self, entry: u32) -> Code<'a> {
        self.entry = entry;
        self
    }
}
