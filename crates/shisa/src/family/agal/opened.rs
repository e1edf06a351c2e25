//! An AGAL file as the verbs see it.

use super::file::AgalFile;
use super::{disassembly, graph, instructions, lowering, reports};
use crate::family::{Each, Head, Opened};
use crate::fields::Field;
use crate::finding::Finding;
use crate::identity::{Container, Entry, Identity};
use crate::{Cfg, Isa, Listing, Lowered, Report, Result, Settings};
use shisa_agal::{Program, rules};
use shisa_diag::{Confidence, Sink};
use shisa_ir::{Natives, Scratch};
use std::any::Any;

impl Opened for AgalFile<'_> {
    fn isa(&self) -> Option<Isa> {
        Some(Isa::Agal)
    }

    fn identity(&self, _: &Settings) -> Identity {
        let sure = match shisa_agal::identify(&self.bytes) {
            Some(shisa_agal::Identity::Program { confidence, .. }) => confidence,
            _ => Confidence::Possible,
        };
        let program = self.program.as_ref().ok();
        Identity::alone(
            Isa::Agal,
            Entry {
                name: program.map_or("AGAL program with errors".into(), |p| p.describe()),
                container: Container::Agal,
                chip: program.map(|p| p.version.to_string()),
                stage: program.map(|p| p.stage),
                offset: 0,
                size: self.bytes.len(),
                confidence: sure,
            },
        )
    }

    fn count(&self) -> usize {
        1
    }

    fn listing(&self, _: Option<usize>, how: &Listing, settings: &Settings) -> Result<String> {
        disassembly::disassemble(self, how, settings)
    }

    fn head(&self, _: Option<usize>, _: &Settings) -> Result<Head> {
        let program = self.program()?;
        Ok(Head { chip: Some(program.version.to_string()), stage: Some(program.stage.name()) })
    }

    fn instructions(
        &self,
        _: Option<usize>,
        _: &Listing,
        settings: &Settings,
        each: &mut Each<'_>,
    ) -> Result<()> {
        instructions::list(self.program()?, settings, each);
        Ok(())
    }

    fn fields(&self, _: usize, offset: usize, _: &Settings) -> Result<Vec<Field>> {
        Ok(instructions::fields(self.program()?, offset))
    }

    fn check(&self, _: Option<usize>, settings: &Settings) -> Result<Vec<Finding>> {
        let findings = match &self.program {
            Ok(program) => rules::check_program(program, &settings.limits),
            Err(_) => rules::check(&self.bytes, &settings.limits)?,
        };
        if findings.is_empty() {
            return Ok(Vec::new());
        }
        let mut told = Sink::new(settings.limits.diagnostics);
        told.extend(findings.into_iter().map(|f| f.weighed(settings.agal.rules)));
        Ok(told.finish().into_iter().map(Finding::of_file).collect())
    }

    fn cfg(&self, _: usize, settings: &Settings) -> Result<Cfg> {
        graph::graph(self.program()?, settings)
    }

    fn lower(&self, _: usize, settings: &Settings, _: Natives, scratch: &mut Scratch) -> Result<Lowered> {
        lowering::lower(self.program()?, settings, scratch)
    }

    fn extract(&self, _: usize, _: &Settings) -> Result<Vec<u8>> {
        Ok(self.bytes.to_vec())
    }

    fn replace(&self, _: usize, code: &[u8], settings: &Settings) -> Result<Vec<u8>> {
        Program::read(code, &settings.limits)?;
        Ok(code.to_vec())
    }

    fn report(&self, _: usize, settings: &Settings) -> Result<Report> {
        reports::report(self.program()?, settings)
    }

    fn typed(&self, _: usize, _: &Settings) -> Result<Option<&dyn Any>> {
        let program = self.program()?;
        Ok(Some(program as &dyn Any))
    }
}
