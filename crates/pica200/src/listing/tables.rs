//! The tables of a file and of its programs.

use super::names::{CONSTANTS, Declared, INTEGERS, Names, bank, like_register};
use super::quote::{NameAt, Quoted};
use super::style::{Given, Owner, ProgramStyle, Style};
use super::{LISTING, Text};
use crate::container::{Constant, Dvle, Layout, OutputEntry, Shbin, float24};
use alloc::{format, string::String};

/// Meanings of outputs, by kind.
const PROPERTIES: [&str; 10] = [
    "position",
    "normalquat",
    "color",
    "texcoord0",
    "texcoord0w",
    "texcoord1",
    "texcoord2",
    "",
    "view",
    "dummy",
];

/// Writes what belongs to the file, before all programs.
pub(super) fn file(file: &Shbin, style: &Style, out: &mut Text) {
    let count = match file.programs.len() {
        1 => "1 program".into(),
        n => format!("{n} programs"),
    };
    let (words, descriptors) = (file.code.len(), file.descriptors.len());
    out.line(Owner::Shape, format_args!("{LISTING}: {count}, {words} words, {descriptors} descriptors"));
    if style.pool {
        out.line(Owner::Shape, format_args!(".pool {:#x}", file.version));
    }
    if style.unpadded {
        out.line(Owner::Shape, format_args!(".nopad"));
    }
    if style.names {
        out.line(Owner::Shape, format_args!(".names {}", Quoted(&file.names)));
    }
    if style.descriptors {
        for (n, d) in file.descriptors.iter().enumerate() {
            match d.flags {
                0 => out.line(Owner::Shape, format_args!(".opdesc {n} {:#010x}", d.bits)),
                flags => out.line(Owner::Shape, format_args!(".opdesc {n} {:#010x} {flags:#x}", d.bits)),
            }
        }
    }
}

/// The entry of the line table for a word.
pub(super) fn line(file: &Shbin, style: &Style, n: usize, out: &mut Text) {
    if let Some(entry) = file.lines.get(n) {
        let name = NameAt { symbols: &file.names, offset: entry.name, literal: style.names };
        out.line(Owner::Shape, format_args!(".line {name} {}", entry.line));
    }
}

/// Entries of the line table past the last word.
pub(super) fn lines_apart(file: &Shbin, style: &Style, out: &mut Text) {
    (file.code.len()..file.lines.len()).for_each(|n| line(file, style, n, out));
}

/// Writes the layout.
pub(super) fn layout(layout: &Layout, out: &mut Text) {
    out.line(Owner::Shape, format_args!(".layout header {:#x}", layout.header));
    let [code, descriptors, lines, names] = layout.pool;
    let pool = format!("{code:#x} {descriptors:#x} {lines:#x} {names:#x}");
    out.line(Owner::Shape, format_args!(".layout pool {pool}"));
    for p in &layout.programs {
        let [constants, labels, outputs, uniforms, symbols] = p.tables;
        let tables = format!("{constants:#x} {labels:#x} {outputs:#x} {uniforms:#x} {symbols:#x}");
        out.line(Owner::Shape, format_args!(".layout program {:#x} {tables}", p.at));
    }
    out.line(Owner::Shape, format_args!(".layout size {:#x}", layout.size));
    for (at, bytes) in &layout.rest {
        out.line(Owner::Shape, format_args!(".layout rest {at:#x} {}", Quoted(bytes)));
    }
}

/// A program in its declared style, and the number that marks its lines.
pub(super) struct Program<'a> {
    pub(super) dvle: &'a Dvle,
    pub(super) style: ProgramStyle,
    pub(super) index: usize,
    /// Whether another program is in the file.
    pub(super) several: bool,
    /// The name of the procedure that it begins with.
    pub(super) main: Option<&'a str>,
}

impl Program<'_> {
    /// Writes everything before a program's words; returns the names of its registers.
    pub(super) fn declare(&self, out: &mut Text) -> Names {
        let (mut names, uniforms) = Names::of(self.dvle);
        self.head(out);
        self.entry(out);
        if self.style.masks {
            let (inputs, outputs) = (self.dvle.inputs, self.dvle.output_mask);
            out.line(Owner::Head(self.index), format_args!(".masks {inputs:#x} {outputs:#x}"));
        }
        if self.style.symbols {
            let symbols = Quoted(&self.dvle.symbols);
            out.line(Owner::Uniforms(self.index), format_args!(".symbols {symbols}"));
        }
        match self.style.uniforms {
            Given::Entries => self.uniform_entries(&uniforms, out),
            placed => self.uniforms(&uniforms, placed == Given::Placed, out),
        }
        let constants = names.constants(self.dvle, &self.style);
        self.constants(&constants, out);
        let outputs = names.outputs(&self.dvle.outputs);
        self.outputs(&names, &outputs, out);
        for l in &self.dvle.labels {
            let name = self.name(l.name);
            let owner = Owner::Uniforms(self.index);
            out.line(owner, format_args!(".label {:#x} {} {} {name}", l.id, l.at, Length(l.length)));
        }
        names
    }

    fn head(&self, out: &mut Text) {
        let owner = Owner::Head(self.index);
        let d = self.dvle;
        let g = d.geometry;
        if self.style.head {
            out.line(owner, format_args!(".dvle {:#x} {} {:#x}", d.version, d.kind, d.flags));
            let modes = format!("{} {} {} {}", g.mode, g.fixed_start, g.variable, g.fixed);
            out.line(owner, format_args!(".geometry {modes}"));
            return;
        }
        if self.several {
            out.line(owner, format_args!(".dvle"));
        }
        if d.kind == 1 {
            let uniforms = d.uniforms.iter().map(|u| u.first).filter(|r| (CONSTANTS..INTEGERS).contains(r));
            let first = uniforms.min().unwrap_or(CONSTANTS) - CONSTANTS;
            let (start, variable, fixed) = (g.fixed_start, g.variable, g.fixed);
            match g.mode {
                1 => out.line(owner, format_args!(".gsh variable c{first} {variable}")),
                2 => out.line(owner, format_args!(".gsh fixed c{first} c{start} {fixed}")),
                _ => out.line(owner, format_args!(".gsh point c{first}")),
            }
        }
    }

    fn entry(&self, out: &mut Text) {
        let owner = Owner::Entry(self.index);
        match self.main {
            _ if self.style.entry => {
                out.line(owner, format_args!(".entry {} {}", self.dvle.entry, self.dvle.end));
            }
            Some("main") | None => {}
            Some(name) => out.line(owner, format_args!(".entry {name}")),
        }
    }

    fn name(&self, offset: u32) -> NameAt<'_> {
        NameAt { symbols: &self.dvle.symbols, offset, literal: self.style.symbols }
    }

    fn uniform_entries(&self, names: &[Option<String>], out: &mut Text) {
        let owner = Owner::Uniforms(self.index);
        for (u, name) in self.dvle.uniforms.iter().zip(names) {
            out.line(owner, format_args!(".uniform {} {:#x} {:#x}", self.name(u.name), u.first, u.last));
            // A quoted name that looks like one of the source's names is taken for it.
            let known = !self.style.symbols && name.as_deref() == self.dvle.name(u.name);
            if let (Some(name), Some((letter, base)), false) = (name, bank(u.first), known)
                && !(like_register(name) || self.style.nameless)
            {
                out.line(owner, format_args!(".alias {name} {letter}{}", u.first - base));
            }
        }
    }

    fn uniforms(&self, names: &[Option<String>], placed: bool, out: &mut Text) {
        let owner = Owner::Uniforms(self.index);
        let mut inputs = 0u16;
        // Uniforms of one kind that follow each other are on one line, if their registers are not stated.
        let mut open: Option<char> = None;
        // Registers are allocated from the bottom up.
        let mut next = [0u16; 3];
        for (u, name) in self.dvle.uniforms.iter().zip(names) {
            let (Some(name), Some((letter, base))) = (name, bank(u.first)) else {
                end(&mut open, out);
                out.line(owner, format_args!(".uniform {} {:#x} {:#x}", self.name(u.name), u.first, u.last));
                continue;
            };
            let number = u.first - base;
            if letter == 'v' {
                let natural = inputs.trailing_ones() == u32::from(number);
                inputs |= 1 << number;
                match natural && !placed {
                    true => out.line(owner, format_args!(".in {name}")),
                    false => out.line(owner, format_args!(".in {name} v{number}")),
                }
                continue;
            }
            let size = match u.last - u.first {
                0 => String::new(),
                n => format!("[{}]", n + 1),
            };
            let directive = match letter {
                'c' => ".fvec",
                'i' => ".ivec",
                _ => ".bool",
            };
            let next = &mut next[usize::from(letter == 'i') + 2 * usize::from(letter == 'b')];
            if placed || *next != number {
                end(&mut open, out);
                out.line(owner, format_args!("{directive} {name}{size} {letter}{number}"));
                continue;
            }
            *next = u.last - base + 1;
            if open == Some(letter) {
                out.text.push_str(&format!(", {name}{size}"));
            } else {
                end(&mut open, out);
                out.begin(owner).push_str(&format!("{directive} {name}{size}"));
                open = Some(letter);
            }
        }
        end(&mut open, out);
    }

    fn constants(&self, declared: &[Declared], out: &mut Text) {
        let owner = Owner::Constants(self.index);
        let mut entries = self.dvle.constants.iter();
        for d in declared {
            let Some(c) = entries.next() else { return };
            let letter = if c.kind == 2 { 'f' } else { 'i' };
            match d {
                Declared::Alone(name) => out.line(owner, format_args!(".const{letter} {name}{}", Values(c))),
                Declared::Set(name) if c.kind == 0 => {
                    let value = if c.data[0] != 0 { "true" } else { "false" };
                    out.line(owner, format_args!(".setb {name} {value}"));
                }
                Declared::Set(name) => out.line(owner, format_args!(".set{letter} {name}{}", Values(c))),
                Declared::Array(name, count) => {
                    out.line(owner, format_args!(".constfa {name}[]"));
                    out.line(owner, format_args!(".constfa {}", Values(c)));
                    for c in entries.by_ref().take(count - 1) {
                        out.line(owner, format_args!(".constfa {}", Values(c)));
                    }
                    out.line(owner, format_args!(".end"));
                }
                Declared::Entry => {
                    let Constant { kind, register, data: [x, y, z, w] } = c;
                    let data = format!("{x:#x} {y:#x} {z:#x} {w:#x}");
                    out.line(owner, format_args!(".constant {kind} {register} {data}"));
                }
            }
        }
    }

    fn outputs(&self, names: &Names, declared: &[String], out: &mut Text) {
        let owner = Owner::Outputs(self.index);
        let mut used = 0u16;
        for (o, name) in self.dvle.outputs.iter().zip(declared) {
            let OutputEntry { kind, register, mask, unknown } = *o;
            let property = PROPERTIES.get(usize::from(kind)).copied().unwrap_or_default();
            if self.style.outputs || property.is_empty() || register > 15 || mask > 15 || unknown > 0 {
                match unknown {
                    0 => out.line(owner, format_args!(".output {kind} {register} {mask:#x}")),
                    n => out.line(owner, format_args!(".output {kind} {register} {mask:#x} {n:#x}")),
                }
                continue;
            }
            let letters: String =
                "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|(_, c)| c).collect();
            let letters = if mask == 15 { String::new() } else { format!(".{letters}") };
            let natural = used.trailing_ones() == u32::from(register);
            used |= 1 << register;
            match natural {
                true => out.line(owner, format_args!(".out {name} {property}{letters}")),
                false => out.line(owner, format_args!(".out {name} {property} o{register}{letters}")),
            }
        }
        if self.style.outputs && !self.style.nameless {
            let outputs = if self.dvle.kind == 1 { 7 } else { 16 };
            for (name, register) in names.output_names().filter(|n| n.1 < outputs) {
                out.line(owner, format_args!(".alias {name} o{register}"));
            }
        }
    }
}

/// Ends a line of several uniforms.
fn end(open: &mut Option<char>, out: &mut Text) {
    if open.take().is_some() {
        out.text.push('\n');
    }
}

/// A label's length; all bits set has a spelling of its own.
struct Length(u32);

impl core::fmt::Display for Length {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            u32::MAX => write!(f, "{:#x}", self.0),
            n => write!(f, "{n}"),
        }
    }
}

/// The value of a vector in parentheses.
struct Values<'a>(&'a Constant);

impl core::fmt::Display for Values<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let data = self.0.data;
        if self.0.kind != 2 {
            let [x, y, z, w] = data[0].to_le_bytes();
            return write!(f, "({x}, {y}, {z}, {w})");
        }
        f.write_str("(")?;
        for (i, bits) in data.into_iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            // The shortest number that reads back as this binary32.
            let value = float24(bits);
            match value.abs() {
                m if m == 0.0 || (1e-4..1e9).contains(&m) => write!(f, "{value:?}")?,
                _ => write!(f, "{value:e}")?,
            }
        }
        f.write_str(")")
    }
}
