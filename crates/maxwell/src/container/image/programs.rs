//! Finds the programs of each kind of file.

use super::contents::{Contents, Unpacked};
use super::{Image, Program, Unit};
use crate::bundle::BUNDLE_BYTES;
use crate::container::reader::within;
use crate::container::{Container, Cubin, Dksh, Entry, Function, Nvn, Own, Raw};
use crate::flow::Targets;
use crate::{Chip, ShaderStage};
use alloc::borrow::Cow;
use alloc::{format, string::ToString, sync::Arc, vec, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits, Sink};

impl<'a> Image<'a> {
    pub(super) fn read_cubin(&mut self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        let cubin = Cubin::read(self.bytes, limits)?;
        match functions(&cubin, 0, 0, false) {
            Ok(programs) => self.programs = programs,
            Err(fault) => self.faults.push(fault),
        }
        self.whole(Contents::Cubin(Arc::new(cubin)));
        Ok(())
    }

    /// The file is one unit.
    pub(super) fn whole(&mut self, contents: Contents<'a>) {
        self.units.push(Unit { contents, offset: 0, entry: None });
    }

    /// The cubins of all fatbins that are for this family.
    pub(super) fn entries(&mut self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        let mut sink = Sink::new(limits.diagnostics);
        let mut memory = 0u64;
        let fatbins = core::mem::take(&mut self.fatbins);
        let all = fatbins.iter().enumerate();
        let all =
            all.flat_map(|(f, fatbin)| fatbin.entries.iter().enumerate().map(move |(e, x)| ((f, e), x)));
        for (place, entry) in all.filter(|(_, e)| e.is_cubin() && Chip::of(e.chip).is_some()) {
            memory = memory.saturating_add(entry.size);
            limits.check(Limit::Memory, "bytes once decompressed", memory).map_err(|d| vec![d])?;
            let found = self.entry(place, entry, limits);
            found.unwrap_or_else(|faults| sink.extend(faults));
            limits.check(Limit::Programs, "programs", self.programs.len()).map_err(|d| vec![d])?;
        }
        self.fatbins = fatbins;
        sink.extend(core::mem::take(&mut self.faults));
        self.faults = sink.finish();
        Ok(())
    }

    fn entry(
        &mut self,
        place: (usize, usize),
        entry: &Entry,
        limits: &Limits,
    ) -> Result<(), Vec<Diagnostic>> {
        let bytes = entry.unpack(self.bytes, limits).map_err(|d| vec![d])?;
        let compressed = matches!(bytes, Cow::Owned(_));
        let offset = if compressed { 0 } else { entry.payload.start };
        let contents = match bytes {
            Cow::Borrowed(bytes) => Cubin::read(bytes, limits).map(|cubin| Contents::Cubin(Arc::new(cubin))),
            Cow::Owned(bytes) => Unpacked::try_new(bytes, |bytes| Cubin::read(bytes, limits))
                .map(|unpacked| Contents::Unpacked(Arc::new(unpacked))),
        };
        let found = contents.and_then(|contents| {
            let found = contents.cubin().map(|cubin| functions(cubin, self.units.len(), offset, compressed));
            Ok((found.transpose().map_err(|d| vec![d])?.unwrap_or_default(), contents))
        });
        // Offsets are those of the cubin; all that can be pointed at in the file is the entry.
        let whole =
            |d: Diagnostic| Diagnostic { labels: Vec::new(), ..d }.at_bytes(entry.payload.clone(), "here");
        let (programs, contents) =
            found.map_err(|faults| faults.into_iter().map(whole).collect::<Vec<_>>())?;
        self.programs.extend(programs);
        self.units.push(Unit { contents, offset, entry: Some(place) });
        Ok(())
    }

    pub(super) fn read_dksh(&mut self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        let file = Dksh::read(self.bytes, limits)?;
        for (number, program) in file.programs.iter().enumerate() {
            let barriers = match program.own {
                Own::Compute { barriers, .. } => Some(barriers),
                _ => None,
            };
            let told = [Some(program.registers), barriers];
            self.shader(number, program.stage, told, &program.header, &program.code);
        }
        self.whole(Contents::Dksh(file));
        Ok(())
    }

    pub(super) fn nvn(&mut self, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
        let file = self.nvn_file(limits)?;
        let registers = file.control.map(|c| c.registers);
        self.shader(0, file.stage, [registers, None], &file.header, &file.code);
        self.whole(Contents::Other(self.bytes));
        Ok(())
    }

    /// The file as a code file of NVN.
    ///
    /// # Errors
    /// `nvn-magic`, `nvn-cut`, `nvn-range`, `limit-exceeded`.
    pub fn nvn_file(&self, limits: &Limits) -> Result<Nvn<'a>, Vec<Diagnostic>> {
        Nvn::read(self.bytes, self.control, limits)
    }

    /// A program of a container of the Switch, whose chip is known, and how many registers and barriers it uses.
    fn shader(
        &mut self,
        number: usize,
        stage: ShaderStage,
        [registers, barriers]: [Option<u32>; 2],
        header: &Option<Range<usize>>,
        code: &Range<usize>,
    ) {
        self.programs.push(Program {
            name: stage.name().into(),
            container: self.container,
            chip: Some(Chip::Sm53),
            stage: Some(stage),
            entry: true,
            registers,
            barriers,
            header: header.clone(),
            code: code.clone(),
            targets: Targets::new(),
            compressed: false,
            number,
            unit: 0,
        });
    }

    pub(super) fn raw(&mut self) -> Result<(), Vec<Diagnostic>> {
        let raw = match self.container {
            Container::Bundles => Raw { header: None, stage: None, code: 0..self.bytes.len() },
            _ => Raw::of(self.bytes),
        };
        if within(self.bytes.len(), raw.code.start as u64, raw.code.len() as u64).is_none()
            || !raw.code.len().is_multiple_of(BUNDLE_BYTES)
        {
            let text = format!("code of {:#x} bytes is not whole bundles", raw.code.len());
            return Err(vec![Diagnostic::error("maxwell-bundles", text).at_bytes(raw.code, "")]);
        }
        self.whole(Contents::Other(self.bytes));
        self.programs.push(Program {
            name: raw.stage.map_or("code", ShaderStage::name).into(),
            container: self.container,
            chip: None,
            stage: raw.stage,
            entry: true,
            registers: None,
            barriers: None,
            header: raw.header,
            code: raw.code,
            targets: Targets::new(),
            compressed: false,
            number: 0,
            unit: 0,
        });
        Ok(())
    }
}

/// The functions of a cubin, in unit `unit`, which begins at `offset` of the file.
fn functions(
    cubin: &Cubin<'_>,
    unit: usize,
    offset: usize,
    compressed: bool,
) -> Result<Vec<Program>, Diagnostic> {
    let Some(chip) = Chip::of(cubin.chip().into()) else {
        let text = format!("a cubin for sm_{}, which is no Maxwell, is left out", cubin.chip());
        return Err(Diagnostic::warning("maxwell-other-chip", text).at_bytes(48..52, "its flags"));
    };
    let mut targets = cubin.targets();
    let program = |(number, function): (usize, &Function<'_>)| Program {
        name: function.name.to_string(),
        container: Container::Cubin,
        chip: Some(chip),
        stage: Some(ShaderStage::Compute),
        entry: function.kernel,
        registers: Some(function.registers.into()),
        barriers: function.kernel.then(|| function.barriers.into()),
        header: None,
        code: offset + function.offset..offset + function.offset + function.code.len(),
        targets: targets.remove(function.name).unwrap_or_default(),
        compressed,
        number,
        unit,
    };
    Ok(cubin.functions.iter().enumerate().map(program).collect())
}
