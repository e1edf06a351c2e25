//! A part or linked program with incomplete metadata. It runs, because running needs only some of the metadata; every
//! other verb reports what is missing.

use crate::family::{Each, Head, Opened};
use crate::finding::Finding;
use crate::identity::{Container, Entry, Identity};
use crate::{Cfg, Error, Isa, Listing, Lowered, Report, Result, Settings};
use serde_json::Value;
use shisa_diag::Confidence;
use shisa_ir::{Natives, Scratch};

/// A part or linked program as JSON that lacks metadata.
pub(super) struct PartialPart {
    /// The file.
    pub(super) json: Value,
    /// The missing or wrong metadata.
    pub(super) error: Error,
    /// The bytes of the file.
    pub(super) size: usize,
}

impl Opened for PartialPart {
    fn isa(&self) -> Option<Isa> {
        Some(Isa::Agx)
    }

    fn identity(&self, _: &Settings) -> Identity {
        let entry = Entry {
            name: String::new(),
            container: Container::AgxPart,
            chip: None,
            stage: None,
            offset: 0,
            size: self.size,
            confidence: Confidence::Possible,
        };
        Identity::alone(Isa::Agx, entry)
    }

    fn count(&self) -> usize {
        1
    }

    fn listing(&self, _: Option<usize>, _: &Listing, _: &Settings) -> Result<String> {
        Err(self.error.clone())
    }

    fn head(&self, _: Option<usize>, _: &Settings) -> Result<Head> {
        Err(self.error.clone())
    }

    fn instructions(&self, _: Option<usize>, _: &Listing, _: &Settings, _: &mut Each<'_>) -> Result<()> {
        Err(self.error.clone())
    }

    fn check(&self, _: Option<usize>, _: &Settings) -> Result<Vec<Finding>> {
        Err(self.error.clone())
    }

    fn cfg(&self, _: usize, _: &Settings) -> Result<Cfg> {
        Err(self.error.clone())
    }

    fn lower(&self, _: usize, _: &Settings, _: Natives, _: &mut Scratch) -> Result<Lowered> {
        Err(self.error.clone())
    }

    fn extract(&self, _: usize, _: &Settings) -> Result<Vec<u8>> {
        Err(self.error.clone())
    }

    fn report(&self, _: usize, _: &Settings) -> Result<Report> {
        Err(self.error.clone())
    }
}

#[cfg(not(feature = "eval"))]
impl crate::family::Runs for PartialPart {}
