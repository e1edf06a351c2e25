//! Maxwell: decoding and text.

use super::timing::seconds;
use super::{Figure, Inputs};
use shisa::maxwell::{self, bundle};
use shisa::rows::{Line, Printer};
use std::error::Error;
use std::hint::black_box;

pub(super) const NAMES: [&str; 5] =
    ["maxwell/decode", "maxwell/dis", "maxwell/listing", "maxwell/asm", "maxwell/image"];

/// Bytes of the image of `maxwell/image`.
const IMAGE: usize = 9_600_000;

impl Inputs {
    /// Instructions of compiled kernels: decoding alone, to nvdisasm's text, to default listings, and assembled from
    /// those; and an image of 9.6 MB as nvdisasm prints it.
    pub(super) fn maxwell(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        if self.code.is_empty() {
            return Err("there is no Maxwell code".into());
        }
        let (chip, limits) = (maxwell::Chip::Sm53, &self.settings.limits);
        let ctx = maxwell::Ctx { chip, ..maxwell::Ctx::default() };
        let words: Vec<u128> = self
            .code
            .chunks_exact(bundle::BUNDLE_BYTES)
            .flat_map(|b| bundle::fuse(bundle::words(b)))
            .collect();
        let image: Vec<u8> = self.code.iter().copied().cycle().take(IMAGE / 32 * 32).collect();
        let layout = maxwell::text::Layout::raw(chip, self.code.len());
        let list = || maxwell::text::disassemble(&self.code, &layout, &Default::default(), limits);
        let options = maxwell::text::NvdisasmOptions { novliw: true, ..Default::default() };
        let listing = list()?;
        let assemble = || maxwell::text::assemble(&listing, &Default::default(), limits);
        let (mut printer, mut out) = (Printer::new(), Vec::new());
        let [decode, dis, listed, asm, whole] = seconds([
            &mut || {
                black_box(words.iter().filter(|w| maxwell::decode(**w, ctx).is_ok()).count());
            },
            &mut || {
                out.clear();
                let mut line = Line::new(&mut out);
                for insn in words.iter().filter_map(|w| maxwell::decode(*w, ctx).ok()) {
                    printer.print(&insn, ctx, &mut line);
                    line.end();
                }
                drop(line);
                black_box(&out);
            },
            &mut || drop(black_box(list())),
            &mut || drop(black_box(assemble())),
            &mut || drop(black_box(maxwell::text::nvdisasm(&image, chip, &options, limits))),
        ]);
        let speed = |seconds: f64| {
            let speed = words.len() as f64 / seconds / 1e6;
            (speed, "M-instructions/s", format!("{:.2} of maxwell/decode", decode / seconds))
        };
        let size = format!("of {} MB", image.len() as f64 / 1e6);
        Ok(vec![speed(decode), speed(dis), speed(listed), speed(asm), (whole * 1e3, "ms", size)])
    }
}
