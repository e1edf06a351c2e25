//! Steps after all files are read: calls, entry points, the tables of the file.

use super::assembler::{Assembler, Procedure};
use super::block::LONGEST;
use super::part::{Entry, NameRef, Part};
use crate::container::{Descriptor, Dvle, Label, Shbin, Uniform};
use crate::operand::{COUNT, TO};
use alloc::{collections::BTreeSet, format, vec::Vec};
use shisa_diag::Diagnostic;

/// A label's length if it is the start of nothing.
const NO_LENGTH: u32 = u32::MAX;

impl<'s> Assembler<'_, 's> {
    /// Fills in the targets of a file's jumps. Its labels are then dropped, except for the table of labels.
    pub(super) fn resolve_jumps(&mut self) {
        for jump in core::mem::take(&mut self.jumps) {
            match self.labels.get(jump.name.text) {
                Some(label) => self.set_operand(jump.word, TO, label.at),
                None => {
                    let d = jump.name.error("pica-undefined-name", "there is no such label in this file");
                    self.report(match self.procedures.get(jump.name.text) {
                        Some(_) => d.help("procedures are called, not jumped to"),
                        None => hint(d, self.near(jump.name.text, self.labels.keys().copied())),
                    });
                }
            }
        }
        if self.options.labels && self.current.is_some() {
            let list: Vec<(&str, usize)> = self.labels.iter().map(|(name, l)| (*name, l.at)).collect();
            for (name, at) in list {
                self.add_label(name, at, NO_LENGTH);
            }
            for name in core::mem::take(&mut self.defined) {
                if let Some(p) = self.procedures.get(name).copied() {
                    self.add_label(name, p.at, p.length as u32);
                }
            }
        }
        self.labels.clear();
    }

    fn add_label(&mut self, name: &str, at: usize, length: u32) {
        let part = self.part();
        let id = part.labels.len() as u32;
        part.labels.push((NameRef::Text(dotted(name)), Label { id, at: at as u32, length, name: 0 }));
    }

    fn resolve_calls(&mut self) {
        for call in core::mem::take(&mut self.calls) {
            let Some(p) = self.procedures.get_mut(call.name.text) else {
                let d = call.name.error("pica-undefined-name", "there is no such procedure");
                let d = hint(d, self.near(call.name.text, self.procedures.keys().copied()));
                self.report_in(call.source, d.note("labels cannot be called"));
                continue;
            };
            p.called = true;
            let p = *p;
            if p.length > LONGEST {
                let text = format!("{} has {} words, a call runs at most {LONGEST}", p.place.text, p.length);
                let d = call.name.error("pica-block-length", text);
                self.quirk_in(call.source, d.help("split it into two procedures and call both"));
            }
            if p.length == 0 {
                let text = "this procedure is empty, and a call of it runs the program from its first word";
                let d = p.place.error("pica-empty-call", text).help("put a nop into it");
                self.quirk_in(p.source, d);
            }
            self.set_operand(call.word, TO, p.at);
            self.set_operand(call.word, COUNT, p.length);
        }
    }

    /// The words where a program begins and ends.
    fn entry_words(&mut self, part: &Part<'s>) -> (u32, u32) {
        let (name, place) = match part.entry {
            Entry::Words(start, end) => return (start, end),
            Entry::Named(place) => (place.text, Some(place)),
            Entry::Usual => ("main", None),
        };
        if let Some(p) = self.procedures.get_mut(name) {
            p.called = true;
            return (p.at as u32, (p.at + p.length) as u32);
        }
        let place = place.or(part.first_procedure).unwrap_or_default();
        let d = place.error("pica-undefined-name", format!("there is no procedure {name} for the entry"));
        self.report_in(
            part.source,
            match part.entry {
                Entry::Named(_) => d,
                _ => d.help("call one main, or choose one with .entry"),
            },
        );
        (0, 0)
    }

    /// Joins everything into a file.
    pub(super) fn link(&mut self) -> Shbin {
        self.resolve_calls();
        let parts = core::mem::take(&mut self.parts);
        let mut programs = Vec::with_capacity(parts.len());
        for part in parts.iter().filter(|p| p.hidden.is_none()) {
            let (entry, end) = self.entry_words(part);
            programs.push(program(part, entry, end));
        }
        if programs.is_empty() && self.pool_version.is_none() {
            let hidden = parts.iter().find_map(|p| Some((p.source, p.hidden?)));
            let (source, place) = hidden.unwrap_or_default();
            let d = place.error("pica-no-program", "nothing here makes a program");
            self.report_in(
                source,
                match hidden {
                    Some(_) => d.help("at least one file must not have .nodvle"),
                    None => d.help("write instructions between .proc main and .end"),
                },
            );
        }
        self.unused_procedures(&parts);
        self.parts = parts;
        let entries = self.descriptors.entries();
        Shbin {
            version: self.pool_version.unwrap_or(0),
            code: self.code.clone(),
            descriptors: entries.map(|(bits, flags)| Descriptor { bits, flags }).collect(),
            lines: core::mem::take(&mut self.lines),
            names: core::mem::take(&mut self.names),
            programs,
            layout: self.layout.take(),
        }
    }

    /// Warns of procedures that nothing refers to.
    fn unused_procedures(&mut self, parts: &[Part<'s>]) {
        let libraries: BTreeSet<usize> =
            parts.iter().filter(|p| p.hidden.is_some()).map(|p| p.source).collect();
        let unused = |p: &&Procedure<'s>| !p.called && !libraries.contains(&p.source);
        let list: Vec<Procedure<'s>> = self.procedures.values().filter(unused).copied().collect();
        for p in list {
            let text = format!("nothing calls {}", p.place.text);
            let d = shisa_diag::Diagnostic::warning("pica-unreachable", text).at_text(p.place.span(), "");
            self.report_in(p.source, d);
        }
    }
}

fn hint(d: Diagnostic, near: Option<&str>) -> Diagnostic {
    match near {
        Some(near) => d.did_you_mean(near),
        None => d,
    }
}

/// A name in the tables' spelling: with dots for dollar signs.
fn dotted(name: &str) -> Vec<u8> {
    name.bytes().map(|b| if b == b'$' { b'.' } else { b }).collect()
}

/// A program's tables.
fn program(part: &Part<'_>, entry: u32, end: u32) -> Dvle {
    let mut names = part.names.clone().unwrap_or_default();
    let mut add = |name: &[u8]| {
        let at = names.len() as u32;
        names.extend_from_slice(name);
        names.push(0);
        at
    };
    let mut symbols = part.symbols.clone();
    symbols.sort_by_key(|s| s.register);
    let mut uniforms: Vec<Uniform> = symbols
        .iter()
        .map(|s| {
            // The table leaves out the temporaries.
            let first = if s.register >= 0x20 { s.register - 0x10 } else { s.register };
            Uniform { name: add(&dotted(s.name)), first: first as u16, last: (first + s.size - 1) as u16 }
        })
        .collect();
    let mut resolve = |name: &NameRef| match name {
        NameRef::Text(text) => add(text),
        NameRef::Offset(offset) => *offset,
    };
    uniforms.extend(part.uniform_entries.iter().map(|(name, u)| Uniform { name: resolve(name), ..*u }));
    let labels = part.labels.iter().map(|(name, l)| Label { name: resolve(name), ..*l }).collect();
    let (inputs, output_mask) = part.masks.unwrap_or((part.inputs, part.output_mask));
    Dvle {
        version: part.version,
        kind: part.kind.unwrap_or(u8::from(part.geometry)),
        flags: part.flags.unwrap_or(u8::from(part.merge)),
        entry,
        end,
        inputs,
        output_mask,
        geometry: part.mode,
        constants: part.constants.clone(),
        labels,
        outputs: part.outputs.iter().map(|o| o.entry).collect(),
        uniforms,
        symbols: names,
    }
}
