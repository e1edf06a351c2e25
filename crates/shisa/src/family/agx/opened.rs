//! An AGX file as the verbs see it.

use super::file::{AgxFile, kind};
use super::{disassembly, graph, instructions, lowering, replacing, reports};
use crate::family::{Each, Head, Opened};
use crate::fields::Field;
use crate::finding::{Finding, bounded};
use crate::identity::{self, Entry, Identity};
use crate::{Cfg, Isa, Listing, Lowered, Report, Result, Settings};
use shisa_agx::abi;
use shisa_agx::rules::{self, Expect};
use shisa_diag::bytes::part;
use shisa_diag::{Confidence, Diagnostic};
use shisa_ir::{Natives, Scratch, Stage};

impl Opened for AgxFile<'_> {
    fn isa(&self) -> Option<Isa> {
        Some(Isa::Agx)
    }

    fn identity(&self, _: &Settings) -> Identity {
        let entry = |container, name: &str, stage: Option<Stage>, confidence| Entry {
            name: name.to_owned(),
            container,
            chip: None,
            stage,
            offset: 0,
            size: self.bytes().len(),
            confidence,
        };
        let alone = |entry| Identity::alone(Isa::Agx, entry);
        match self {
            AgxFile::Part(of) => {
                let stage = of.part.meta.stage;
                let name = format!("{} {}", stage.name(), of.part.role());
                alone(entry(identity::Container::AgxPart, &name, Some(stage), Confidence::Certain))
            }
            AgxFile::Linked(of) => {
                let stage = of.linked.meta.fragment.then_some(Stage::Fragment);
                let name = "program made of parts";
                alone(entry(identity::Container::AgxLinked, name, stage, Confidence::Certain))
            }
            AgxFile::Code(bytes, stage) => {
                let sure = shisa_agx::sniff(bytes).unwrap_or(Confidence::Possible);
                alone(entry(identity::Container::Agx, "", *stage, sure))
            }
            AgxFile::Image(image) => {
                let sure = if image.faults.is_empty() { Confidence::Certain } else { Confidence::Likely };
                let of = |p: &shisa_agx::container::Program| Entry {
                    offset: p.code.start,
                    size: p.code.len(),
                    ..entry(identity::Container::Agx, &p.name, p.stage, sure)
                };
                // Code of other generations is listed after the programs.
                let other = |p| Entry { container: identity::Container::MetalArchive, ..of(p) };
                let programs = image.programs.iter().map(of).chain(image.others.iter().map(other)).collect();
                Identity::of(kind(image.container), Some(Isa::Agx), programs, sure)
            }
        }
    }

    fn count(&self) -> usize {
        self.programs()
    }

    fn single(&self) -> bool {
        !matches!(self, AgxFile::Image(_))
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            AgxFile::Image(image) => &image.faults,
            _ => &[],
        }
    }

    fn listing(&self, which: Option<usize>, how: &Listing, settings: &Settings) -> Result<String> {
        disassembly::disassemble(self, which, how, settings)
    }

    fn head(&self, which: Option<usize>, _: &Settings) -> Result<Head> {
        let (_, stage) = self.program(which.unwrap_or(0))?;
        Ok(Head { chip: None, stage: stage.map(|s| s.name()) })
    }

    fn instructions(
        &self,
        which: Option<usize>,
        how: &Listing,
        settings: &Settings,
        each: &mut Each<'_>,
    ) -> Result<()> {
        instructions::list(self, which.unwrap_or(0), how, settings, each)
    }

    fn fields(&self, _: usize, offset: usize, _: &Settings) -> Result<Vec<Field>> {
        Ok(instructions::fields(self, offset))
    }

    fn check(&self, which: Option<usize>, settings: &Settings) -> Result<Vec<Finding>> {
        let limits = &settings.limits;
        let found = match self {
            AgxFile::Part(file) => abi::check_part(&file.part, limits),
            AgxFile::Linked(file) => abi::check_linked(&file.linked.code, &file.linked.meta, limits),
            AgxFile::Code(bytes, _) => rules::check(bytes, 0..bytes.len(), &Expect::default(), limits),
            AgxFile::Image(image) => {
                let faults = image.faults.iter().filter(|_| which.is_none()).cloned();
                let asked = image.programs.iter().enumerate().filter(|(i, _)| which.is_none_or(|w| w == *i));
                let of = asked.flat_map(|(_, program)| {
                    let found = rules::check(&image.bytes, program.code.clone(), &Expect::default(), limits);
                    found.into_iter().map(|d| d.note(format!("in program \"{}\"", program.name)))
                });
                return Ok(bounded(faults.chain(of).map(Finding::of_file), limits));
            }
        };
        Ok(found.into_iter().map(Finding::of_file).collect())
    }

    fn cfg(&self, index: usize, settings: &Settings) -> Result<Cfg> {
        graph::graph(self, index, settings)
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

    fn extract(&self, index: usize, _: &Settings) -> Result<Vec<u8>> {
        let (range, _) = self.program(index)?;
        Ok(part(self.bytes(), range)?.to_vec())
    }

    fn replace(&self, index: usize, code: &[u8], _: &Settings) -> Result<Vec<u8>> {
        replacing::replace(self, index, code)
    }

    fn report(&self, index: usize, settings: &Settings) -> Result<Report> {
        reports::report(self, index, settings)
    }
}

#[cfg(not(feature = "eval"))]
impl crate::family::Runs for AgxFile<'_> {}
