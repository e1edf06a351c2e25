//! A PICA200 file as the verbs see it.

use super::file::{Kind, Pica200File, alone, wrapper};
use super::{disassembly, graph, instructions, lowering, reports};
use crate::family::{Each, Head, Opened};
use crate::fields::Field;
use crate::finding::{Finding, bounded};
use crate::identity::{self, Entry, Identity};
use crate::{Cfg, Isa, Listing, Lowered, Report, Result, Settings, error};
use shisa_diag::Diagnostic;
use shisa_ir::{Natives, Scratch};
use shisa_pica200::container::{self, Shbin};
use shisa_pica200::rules;
use std::any::Any;

impl Opened for Pica200File<'_> {
    fn isa(&self) -> Option<Isa> {
        Some(Isa::Pica200)
    }

    fn identity(&self, settings: &Settings) -> Identity {
        let container = match self.kind {
            Kind::Shbin | Kind::Raw(_) => identity::Container::Shbin,
            Kind::Object => identity::Container::Dvoj,
            Kind::Wrapper(kind) => wrapper(kind),
        };
        // The crate's names for parts of a container are the names of the binaries in it.
        let inner =
            if container == identity::Container::Dvoj { container } else { identity::Container::Shbin };
        let Some(found) = shisa_pica200::identify(&self.bytes, &settings.limits) else {
            return Identity::damaged(container, Some(Isa::Pica200));
        };
        let entry = |p: shisa_pica200::Part| Entry {
            name: p.name,
            container: inner,
            chip: p.version.map(|v| format!("{v:#x}")),
            stage: p.stage,
            offset: p.offset,
            size: p.size,
            confidence: p.confidence,
        };
        let programs = found.programs.into_iter().map(entry).collect();
        Identity::of(container, Some(Isa::Pica200), programs, found.confidence)
    }

    fn count(&self) -> usize {
        self.programs.len()
    }

    fn single(&self) -> bool {
        self.whole().is_some()
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.faults
    }

    fn listing(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<String> {
        disassembly::disassemble(self, which, how, settings)
    }

    fn head(&self, which: Option<usize>, _: &Settings) -> Result<Head> {
        instructions::head(self, which)
    }

    fn instructions(
        &self,
        which: Option<usize>,
        _: &Listing,
        _: &Settings,
        each: &mut Each<'_>,
    ) -> Result<()> {
        instructions::list(self, which, each)
    }

    fn fields(&self, index: usize, offset: usize, _: &Settings) -> Result<Vec<Field>> {
        instructions::fields(self, index, offset)
    }

    fn check(&self, which: Option<usize>, settings: &Settings) -> Result<Vec<Finding>> {
        let limits = &settings.limits;
        let found = match (&self.kind, which) {
            (Kind::Raw(found), _) => found.clone(),
            (Kind::Shbin, None) => rules::check_bytes(&self.bytes, limits)?,
            (_, Some(_)) => rules::check_bytes(&self.extract(which.unwrap_or(0), settings)?, limits)?,
            (Kind::Object | Kind::Wrapper(_), None) => {
                let mut all: Vec<Finding> = self.faults.iter().cloned().map(Finding::of_file).collect();
                for index in 0..self.programs.len() {
                    let found = rules::check_bytes(&self.extract(index, settings)?, limits)?;
                    all.extend(
                        found.into_iter().map(|diagnostic| Finding { program: Some(index + 1), diagnostic }),
                    );
                }
                return Ok(bounded(all, limits));
            }
        };
        let of = |diagnostic| Finding { program: which.map(|i| i + 1), diagnostic };
        Ok(found.into_iter().map(of).collect())
    }

    fn cfg(&self, index: usize, settings: &Settings) -> Result<Cfg> {
        let (binary, file, number) = self.program(index)?;
        graph::graph(file, number, binary.offset, settings)
    }

    fn lower(&self, index: usize, settings: &Settings, _: Natives, scratch: &mut Scratch) -> Result<Lowered> {
        let (_, file, number) = self.program(index)?;
        lowering::lower(file, number, self.is_raw(), settings, scratch)
    }

    fn extract(&self, index: usize, settings: &Settings) -> Result<Vec<u8>> {
        let (_, file, number) = self.program(index)?;
        Ok(alone(file, number).write(&settings.limits)?)
    }

    fn enclosing(&self, index: usize, settings: &Settings) -> Result<Vec<u8>> {
        let (_, file, _) = self.program(index)?;
        Ok(file.write(&settings.limits)?)
    }

    fn replace(&self, index: usize, code: &[u8], settings: &Settings) -> Result<Vec<u8>> {
        // A program's own code leaves every byte as it is, also those that a writer would write differently.
        if self.extract(index, settings).is_ok_and(|own| own == code) {
            return Ok(self.bytes.to_vec());
        }
        let limits = &settings.limits;
        let new = Shbin::read(code, limits)?;
        let (_, old, number) = self.program(index)?;
        let binary = old.with_program(number, &new)?.write(limits)?;
        match self.kind {
            Kind::Shbin => Ok(binary),
            Kind::Wrapper(wrapper) => {
                let which = self.binary(index)?;
                Ok(container::replace(wrapper, &self.bytes, which, &binary, limits)?.0)
            }
            Kind::Object => Err(error::not_built("replacing the program of an object")),
            Kind::Raw(_) => Err(error::not_built("replacing the program of words without a container")),
        }
    }

    fn report(&self, index: usize, settings: &Settings) -> Result<Report> {
        let identity = self.identity(settings);
        let name = identity.programs.get(index).map_or("", |entry| &entry.name);
        reports::report(self, index, name, settings)
    }

    fn typed(&self, index: usize, _: &Settings) -> Result<Option<&dyn Any>> {
        let (_, file, _) = self.program(index)?;
        Ok(Some(&**file as &dyn Any))
    }
}

#[cfg(not(feature = "eval"))]
impl crate::family::Runs for Pica200File<'_> {}
