//! Mutated PICA200 shader binaries that are almost valid.

use crate::{Random, pica200_row_programs};
use shisa::diag::Limits;
use shisa::pica200::Pica200;
use shisa::pica200::container::{Constant, Descriptor, OutputEntry, Shbin};
use shisa::pica200::picasso::{Options, Source, assemble};
use shisa::rows::Isa as _;

/// The shader binaries of `examples/`, each alone and both in one file, which also has tables of labels and lines.
pub fn binaries() -> Vec<Vec<u8>> {
    let [figure, sprite] = crate::picasso::EXAMPLES.map(|text| Source { name: "example", text });
    let plain = Options::default();
    let tables = Options { labels: true, lines: true, ..plain };
    let limits = Limits::default();
    let assemble = |(sources, options): (&[Source<'_>], &Options)| assemble(sources, options, &limits).bytes;
    [(&[figure][..], &plain), (&[sprite], &plain), (&[figure, sprite], &tables)]
        .into_iter()
        .filter_map(assemble)
        .collect()
}

/// Generates mutated shader binaries.
#[derive(Debug)]
pub struct Binaries {
    samples: Vec<Shbin>,
}

impl Default for Binaries {
    fn default() -> Self {
        Self::new()
    }
}

impl Binaries {
    /// Mutates the binaries of `examples/` and one binary for each row.
    pub fn new() -> Binaries {
        let files = binaries().into_iter().chain(pica200_row_programs().into_iter().map(|r| r.1));
        let mut made = Binaries { samples: Vec::new() };
        made.add(files);
        made
    }

    /// Adds files to mutate; files that are not shader binaries are ignored.
    pub fn add(&mut self, files: impl IntoIterator<Item = Vec<u8>>) {
        let read = |bytes: Vec<u8>| Shbin::read(&bytes, &Limits::default()).ok();
        self.samples.extend(files.into_iter().filter_map(read));
    }

    /// The next file: one to four changes to a valid file, and occasionally an invalid byte.
    pub fn next(&self, random: &mut Random) -> Vec<u8> {
        let mut file = random.pick(&self.samples).cloned().unwrap_or_default();
        for _ in 0..=random.below(4) {
            self.change(&mut file, random);
        }
        // The layout of a file does not depend on its contents.
        file.layout = None;
        if !file.lines.is_empty() {
            file.lines.resize_with(file.code.len(), Default::default);
        }
        let mut bytes = file.write(&Limits::default()).unwrap_or_default();
        if random.below(8) == 0 {
            let at = random.below(bytes.len());
            let value = random.bits() as u8;
            bytes.iter_mut().skip(at).take(1).for_each(|b| *b = value);
        }
        bytes
    }

    fn change(&self, file: &mut Shbin, random: &mut Random) {
        let words = file.code.len();
        let (a, b) = (random.below(words), random.below(words));
        let copy = file.code.get(b).copied().unwrap_or_default();
        let bits = random.bits() as u32;
        let word = |file: &mut Shbin, f: &dyn Fn(u32) -> u32| {
            file.code.iter_mut().skip(a).take(1).for_each(|w| *w = f(*w));
        };
        match random.below(12) {
            0 => word(file, &|w| w ^ 1 << (bits % 32)),
            // The word of a row; its other bits stay unchanged or are random.
            1 | 2 => {
                let Some(form) = random.pick(Pica200::table().forms()) else { return };
                let [fixed, mask] = [form.bits as u32, form.mask as u32];
                let keep = random.bits() & 1 == 0;
                word(file, &|w| fixed | if keep { w } else { bits } & !mask);
            }
            // An index of a word or a number of words, near the valid range.
            3 => {
                let target = random.below(words + 2) as u32;
                word(file, &|w| w & !(0xfff << 10) | target << 10);
            }
            4 => word(file, &|w| w & !0xff | bits & 7),
            5 => word(file, &|_| copy),
            6 => file.code.insert(a, copy),
            7 if words > 0 => drop(file.code.remove(a)),
            // A word of another program, with its descriptor's number.
            8 => {
                let other = random.pick(&self.samples).map_or(&[][..], |s| &s.code);
                let other = random.pick(other).copied().unwrap_or(bits);
                word(file, &|_| other);
            }
            9 => {
                let at = random.below(file.descriptors.len() + 1);
                let flip = if bits & 1 == 0 { 1 << (bits >> 1 & 31) } else { random.bits() as u32 };
                match file.descriptors.get_mut(at) {
                    Some(d) => d.bits ^= flip,
                    None if at < 128 => file.descriptors.push(Descriptor { bits: flip, flags: 0 }),
                    None => {}
                }
            }
            _ => self.tables(file, random),
        }
    }

    fn tables(&self, file: &mut Shbin, random: &mut Random) {
        let words = file.code.len();
        let at = random.below(file.programs.len());
        let Some(dvle) = file.programs.get_mut(at) else { return };
        let mut small = |n| random.below(n) as u16;
        match small(7) {
            0 => dvle.entry = small(words + 2).into(),
            1 => dvle.kind ^= 1,
            2 => dvle.output_mask ^= 1 << small(16),
            3 => dvle.inputs ^= 1 << small(16),
            4 => {
                let (kind, register) = (small(4), small(100));
                let data = [random.bits(); 4].map(|b| b as u32 & 0xff_ffff);
                dvle.constants.push(Constant { kind, register, data });
            }
            5 => {
                let (kind, register, mask) = (small(10), small(17), small(16));
                dvle.outputs.push(OutputEntry { kind, register, mask, unknown: 0 });
            }
            _ => {
                let mode = &mut dvle.geometry;
                (mode.mode, mode.fixed_start) = (small(4) as u8, small(100) as u8);
                (mode.variable, mode.fixed) = (small(8) as u8, small(8) as u8);
            }
        }
    }
}
