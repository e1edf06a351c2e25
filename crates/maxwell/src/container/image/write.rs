//! Replaces programs of a file.

use super::{Image, Program};
use crate::bundle::BUNDLE_BYTES;
use crate::container::edit::Edit;
use crate::container::moved::Moved;
use crate::container::tables::{self, Code, Told};
use crate::container::{Container, fatbin};
use alloc::{collections::BTreeMap, format, vec, vec::Vec};
use shisa_diag::bytes::{put, spliced};
use shisa_diag::{Diagnostic, Limit, Limits, Sink};

impl Image<'_> {
    /// The file with some programs replaced, by their numbers. Only offsets and sizes change elsewhere, if code has
    /// another length.
    ///
    /// # Errors
    /// `maxwell-bundles` if code is not whole bundles, `no-program` if a number does not exist, and the containers'
    /// errors: `cubin-layout`, `dksh-range`, `fatbin-space`.
    pub fn write(
        &self,
        edits: &BTreeMap<usize, Edit<'_>>,
        limits: &Limits,
    ) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let mut sink = Sink::new(limits.diagnostics);
        for (number, edit) in edits {
            if *number >= self.programs.len() {
                sink.push(self.no_program(*number));
            }
            if !edit.code.len().is_multiple_of(BUNDLE_BYTES) {
                let text = format!("code of {:#x} bytes is not whole bundles", edit.code.len());
                sink.push(Diagnostic::error("maxwell-bundles", text));
            }
        }
        if sink.errors() > 0 {
            return Err(sink.finish());
        }
        let changed = |(n, e): &(&usize, &Edit<'_>)| {
            e.code != self.code(**n) || e.header.is_some_and(|h| Some(h) != self.header(**n))
        };
        let edits: Vec<(&usize, &Edit<'_>)> = edits.iter().filter(changed).collect();
        let of_unit = |unit: usize| {
            let own = edits.iter().filter_map(move |(n, e)| Some((self.programs.get(**n)?, **e)));
            own.filter(move |(p, _)| p.unit == unit)
        };
        match self.container {
            Container::Cubin => self.cubin_with(0, of_unit(0)),
            Container::Fatbin | Container::Host => {
                let mut payloads = BTreeMap::new();
                for (number, unit) in self.units.iter().enumerate() {
                    if let (Some(entry), true) = (unit.entry, of_unit(number).next().is_some()) {
                        payloads.insert(entry, self.cubin_with(number, of_unit(number))?);
                    }
                }
                let host = self.container == Container::Host;
                fatbin::write(self.bytes, &self.fatbins, &payloads, host).map_err(|d| vec![d])
            }
            Container::Dksh => {
                let edits = of_unit(0).map(|(program, edit)| (program.number, edit)).collect();
                let none = || vec![Diagnostic::internal("internal-maxwell-file", "the DKSH was not read")];
                self.dksh().ok_or_else(none)?.write(&edits).map_err(|d| vec![d])
            }
            Container::NvnCode => match of_unit(0).next() {
                Some((_, edit)) => {
                    self.nvn_file(limits)?.write(edit.code, edit.header, None).map_err(|d| vec![d])
                }
                None => Ok(self.bytes.to_vec()),
            },
            Container::Sph | Container::Bundles => {
                let mut bytes = self.bytes.to_vec();
                if let Some((program, edit)) = of_unit(0).next() {
                    if let (Some(sph), Some(place)) = (edit.header, &program.header) {
                        put(&mut bytes, place.start, &sph.0).map_err(|d| vec![d])?;
                    }
                    bytes = spliced(&bytes, program.code.clone(), edit.code).map_err(|d| vec![d])?;
                }
                Ok(bytes)
            }
            Container::NvnControl => Ok(self.bytes.to_vec()),
        }
        .and_then(|bytes| {
            // A library that is larger than the limit may stay as large as it is.
            if bytes.len() > self.bytes.len() {
                limits.check(Limit::File, "bytes of the file", bytes.len()).map_err(|d| vec![d])?;
            }
            Ok(bytes)
        })
    }

    /// References that cannot follow the code that [`Image::write`] would write, as warnings: `maxwell-jump-table`.
    pub fn lost(&self, edits: &BTreeMap<usize, Edit<'_>>) -> Vec<Diagnostic> {
        let mut lost = Vec::new();
        let mut cubins: BTreeMap<usize, BTreeMap<usize, Edit<'_>>> = BTreeMap::new();
        for (number, edit) in edits {
            let Some(program) = self.programs.get(*number) else { continue };
            if program.container == Container::Cubin {
                cubins.entry(program.unit).or_default().insert(program.number, *edit);
                continue;
            }
            let before = Code { name: &program.name, offset: program.code.start, bytes: self.code(*number) };
            let moved = Moved::new(before.bytes, edit.code);
            lost.extend(tables::follow(&before, *edit, &moved, &Told::default()).1);
        }
        for (unit, edits) in cubins {
            let Some(unit) = self.units.get(unit) else { continue };
            let Some(cubin) = unit.contents.cubin() else { continue };
            lost.extend(cubin.lost(&edits).into_iter().map(|found| self.placed(unit, found)));
        }
        lost
    }

    /// The code file that [`Image::write`] writes, and the control file, updated accordingly.
    ///
    /// # Errors
    /// The errors of [`Image::write`] and [`Image::read_pair`].
    pub fn write_pair(
        &self,
        control: &[u8],
        edits: &BTreeMap<usize, Edit<'_>>,
        limits: &Limits,
    ) -> Result<(Vec<u8>, Vec<u8>), Vec<Diagnostic>> {
        let code = self.write(edits, limits)?;
        let mut control = control.to_vec();
        if let Some(edit) = edits.get(&0) {
            let file = self.nvn_file(limits)?;
            file.write(edit.code, edit.header, Some(&mut control)).map_err(|d| vec![d])?;
        }
        Ok((code, control))
    }

    /// A unit that is a cubin with some functions replaced.
    fn cubin_with<'p, 'e>(
        &self,
        unit: usize,
        edits: impl Iterator<Item = (&'p Program, Edit<'e>)>,
    ) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let none = || vec![Diagnostic::internal("internal-maxwell-file", format!("unit {unit} is no cubin"))];
        let cubin = self.units.get(unit).and_then(|unit| unit.contents.cubin()).ok_or_else(none)?;
        let code: BTreeMap<usize, Edit<'_>> = edits.map(|(p, e)| (p.number, e)).collect();
        cubin.write(&code).map_err(|d| vec![d])
    }
}
