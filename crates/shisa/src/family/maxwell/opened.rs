//! A Maxwell file as the verbs see it.

use super::file::{MaxwellFile, kind};
use super::{disassembly, graph, instructions, lowering, reports};
use crate::family::{Each, Head, Opened};
use crate::fields::Field;
use crate::finding::Finding;
use crate::identity::{self, Entry, Identity};
use crate::{Cfg, Isa, Listing, Lowered, Report, Result, Settings};
use shisa_diag::{Confidence, Diagnostic};
use shisa_ir::{Natives, Scratch};
use shisa_maxwell::container::{Container, NvnControl, Program};
use std::any::Any;
use std::collections::BTreeMap;

impl Opened for MaxwellFile<'_> {
    fn isa(&self) -> Option<Isa> {
        Some(Isa::Maxwell)
    }

    fn identity(&self, settings: &Settings) -> Identity {
        let image = self.image();
        if image.container == Container::NvnControl
            && let Ok(control) = NvnControl::read(image.bytes(), &settings.limits)
        {
            let container = identity::Container::NvnControl;
            let alone = Identity::of(container, Some(Isa::Maxwell), Vec::new(), Confidence::Certain);
            return Identity { stage: Some(control.stage), ..alone };
        }
        let confidence = image.confidence();
        let entry = |p: &Program| Entry {
            name: p.name.clone(),
            container: kind(p.container),
            chip: p.chip.map(|c| c.to_string()),
            stage: p.stage,
            offset: p.header.as_ref().map_or(p.code.start, |h| h.start),
            size: p.code.len() + p.header.as_ref().map_or(0, |h| h.len()),
            confidence,
        };
        let programs: Vec<Entry> = image.programs.iter().map(entry).collect();
        // Only the programs determine the instruction set of CUDA code: a file can have code for other chips only.
        let isa = programs.first().map(|_| Isa::Maxwell);
        Identity::of(kind(image.container), isa, programs, confidence)
    }

    fn count(&self) -> usize {
        self.image().programs.len()
    }

    fn single(&self) -> bool {
        matches!(self.image().container, Container::Sph | Container::Bundles)
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.image().faults
    }

    fn listing(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<String> {
        disassembly::disassemble(self, which, how, settings)
    }

    fn head(&self, which: Option<usize>, settings: &Settings) -> Result<Head> {
        Ok(instructions::head(self.image(), which.unwrap_or(0), settings))
    }

    fn instructions(
        &self,
        which: Option<usize>,
        _: &Listing,
        settings: &Settings,
        each: &mut Each<'_>,
    ) -> Result<()> {
        instructions::list(self.image(), which.unwrap_or(0), settings, each)
    }

    fn fields(&self, index: usize, offset: usize, settings: &Settings) -> Result<Vec<Field>> {
        instructions::fields(self.image(), index, offset, settings)
    }

    fn check(&self, which: Option<usize>, settings: &Settings) -> Result<Vec<Finding>> {
        let found = self.checked(which, settings.maxwell.chip, settings);
        Ok(found.into_iter().map(Finding::of_file).collect())
    }

    fn cfg(&self, index: usize, settings: &Settings) -> Result<Cfg> {
        graph::graph(self.image(), index, settings)
    }

    fn report(&self, index: usize, settings: &Settings) -> Result<Report> {
        reports::report(self.image(), index, settings)
    }

    fn lower(
        &self,
        index: usize,
        settings: &Settings,
        natives: Natives,
        scratch: &mut Scratch,
    ) -> Result<Lowered> {
        lowering::lower(self, index, settings, natives, scratch)
    }

    fn extract(&self, index: usize, settings: &Settings) -> Result<Vec<u8>> {
        Ok(self.image().extract(index, &settings.limits)?)
    }

    fn enclosing(&self, index: usize, _: &Settings) -> Result<Vec<u8>> {
        let none = || {
            let text = format!("program {} is not in a cubin", index + 1);
            Diagnostic::error("extract-enclosing", text)
        };
        Ok(self.image().cubin_of(index).ok_or_else(none)?.elf.bytes.to_vec())
    }

    fn typed(&self, index: usize, settings: &Settings) -> Result<Option<&dyn Any>> {
        Ok(self.graphics(index, settings)?.map(|program| program as &dyn Any))
    }

    fn replace(&self, index: usize, code: &[u8], settings: &Settings) -> Result<Vec<u8>> {
        let image = self.image();
        Ok(image.write(&BTreeMap::from([(index, image.edit(index, code))]), &settings.limits)?)
    }
}

#[cfg(not(feature = "eval"))]
impl crate::family::Runs for MaxwellFile<'_> {}
