//! Checks facts that containers state about their programs.

use super::attribute::{Value, attributes};
use super::cubin::INFO;
use super::places::places;
use super::{Cubin, Section};
use alloc::collections::BTreeMap;
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limits, Sink};

/// The attribute of a function's number of registers.
const REGCOUNT: u8 = 0x2f;

impl Cubin<'_> {
    /// Contradictions in the file, and references to missing parts. Offsets count in the file.
    pub fn check(&self, limits: &Limits) -> Vec<Diagnostic> {
        let mut sink = Sink::new(limits.diagnostics);
        let functions: BTreeMap<&str, &[u8]> = self.functions.iter().map(|f| (f.name, f.code)).collect();
        let registers: BTreeMap<usize, u8> =
            self.functions.iter().map(|f| (f.section, f.registers)).collect();
        for section in self.elf.sections.iter().filter(|s| s.kind == INFO) {
            self.registers(section, &registers, &mut sink);
            let of = section.name.strip_prefix(".nv.info.").and_then(|name| functions.get_key_value(name));
            if let Some((name, code)) = of {
                lists(section, name, code, &mut sink);
            }
        }
        for relocation in &self.relocations {
            let size = self.elf.sections.get(relocation.section).map_or(0, |s| s.data.len() as u64);
            let why = if relocation.offset >= size {
                "is outside of its section"
            } else if relocation.symbol as usize >= self.symbols.len() {
                "refers to a symbol that does not exist"
            } else {
                continue;
            };
            let text = format!("a relocation of section {} {why}", relocation.section);
            let place = relocation.at..relocation.at + 16;
            sink.push(Diagnostic::error("cubin-relocation", text).at_bytes(place, ""));
        }
        sink.finish()
    }

    /// Registers of functions, which their sections state, too.
    fn registers(&self, section: &Section<'_>, sections: &BTreeMap<usize, u8>, sink: &mut Sink) {
        for attribute in attributes(section.data).map_while(Result::ok).filter(|a| a.code == REGCOUNT) {
            let words = attribute.words();
            let [symbol, count] = words.as_slice() else { continue };
            let Some(symbol) = self.symbols.get(*symbol as usize) else { continue };
            let stated = sections.get(&usize::from(symbol.section)).copied().map(u32::from);
            if let Some(stated) = stated.filter(|stated| stated != count) {
                let name = symbol.name;
                let text =
                    format!("{name:?} has {count} registers by its attribute, {stated} by its section");
                let at = section.offset + attribute.offset;
                sink.push(Diagnostic::warning("cubin-registers", text).at_bytes(at..at + 12, ""));
            }
        }
    }
}

/// Lists of offsets that differ from those in the code.
fn lists(section: &Section<'_>, name: &str, code: &[u8], sink: &mut Sink) {
    for attribute in attributes(section.data).map_while(Result::ok) {
        let Value::Bytes(bytes) = attribute.value else { continue };
        let Some(places) = places(attribute.code, code) else { continue };
        if attribute.words() != places {
            let list = attribute.known().map_or("", |k| k.name);
            let text = format!("{list} of {name:?} does not list the offsets where the code has them");
            let at = section.offset + attribute.offset;
            let d = Diagnostic::warning("cubin-places", text).at_bytes(at..at + 4 + bytes.len(), "");
            sink.push(d.note(format!("the code has {} of them", places.len())));
        }
    }
}
