//! Sections of attributes.

use super::labels::Labels;
use super::printed::Printed;
use super::symbols::Names;
use crate::container::{Attribute, Section, Value, attributes};
use alloc::{format, string::String};

/// The parts of an attribute's value, a letter each: `s` the number of a symbol, `w` 4 bytes, `d` 8, `h` 2, `b` one.
/// What follows them is bytes. After `#`, the parts repeat, each time with a comment; `%` begins the one time that
/// has a comment.
fn parts(code: u8) -> &'static str {
    match code {
        0x02 | 0x08 | 0x11..=0x13 | 0x23 | 0x26 | 0x2f | 0x3b => "sw",
        0x03 | 0x05 | 0x10 | 0x3d => "www",
        0x06 => "shhhh",
        0x07 => "swww",
        0x09 => "sbbbb",
        0x0a | 0x17 => "shh",
        0x0b | 0x0c | 0x1c | 0x1d | 0x25 | 0x27..=0x29 | 0x2d | 0x31 | 0x33 => "#w",
        0x46 | 0x47 | 0x4f | 0x57 | 0x59 => "#w",
        0x0d => "hhhh",
        0x0e | 0x32 => "ww",
        0x0f => "#s",
        0x14 => "s",
        0x1a => "bbbb",
        0x1e | 0x36 | 0x37 | 0x3f | 0x48 => "w",
        0x2e => "#whh",
        0x39 => "#wwwhbb",
        0x3a | 0x44 => "#ww",
        0x3c => "#dd",
        0x40 => "wbbhw",
        0x43 => "#b",
        0x45 => "shhh",
        0x50 | 0x56 => "h",
        0x55 => "%w",
        0x5a => "#hh",
        _ => "",
    }
}

/// The codes without a name in [`ATTRIBUTES`](crate::container::ATTRIBUTES) that nvdisasm names.
fn name(attribute: &Attribute<'_>) -> &'static str {
    match attribute.code {
        0x56 => "EIATTR_SANITIZE",
        0x5b => "EIATTR_ERROR_LAST",
        _ => attribute.known().map_or("<unknown>", |known| known.name),
    }
}

/// Writes sections of attributes, and numbers the labels of their values over the whole file.
pub(super) struct Infos<'l, 'a> {
    pub(super) names: &'l Names<'a>,
    pub(super) labels: &'l Labels,
    /// The number of the next label.
    pub(super) next: usize,
}

impl Infos<'_, '_> {
    /// Writes a section.
    pub(super) fn section(&mut self, section: &Section<'_>, out: &mut Printed<'_>) {
        let function = section.info as usize;
        // The label of the end of a value is before the next attribute.
        let mut ended = None;
        for attribute in attributes(section.data).map_while(Result::ok) {
            out.text(&format!("\n\n\t//----- nvinfo : {}\n\t.align\t\t4\n", name(&attribute)));
            if let Some(end) = ended.take() {
                out.text(&label(end));
            }
            let at = attribute.offset;
            let format = match attribute.value {
                Value::None(_) => 1,
                Value::Byte(..) => 2,
                Value::Half(_) => 3,
                Value::Bytes(_) => 4,
            };
            out.text(&format!("        /*{at:04x}*/ \t.byte\t0x{format:02x}, 0x{:02x}\n", attribute.code));
            let mut value = ValueText { infos: self, at: at + 2, begins: None, out };
            match attribute.value {
                Value::None(bytes) => value.bytes(&bytes.to_le_bytes()),
                Value::Byte(first, second) => {
                    value.number(&[first]);
                    value.number(&[second]);
                }
                Value::Half(half) => value.number(&half.to_le_bytes()),
                Value::Bytes([]) => value.number(&[0, 0]),
                Value::Bytes(bytes) => {
                    let begin = value.infos.next;
                    value.infos.next += 2;
                    value.line(".short", &format!("(.L_{} - .L_{begin})", begin + 1), 2);
                    value.begins = Some(begin);
                    match attribute.code {
                        0x34 => value.branches(&attribute, function),
                        code => value.parts(parts(code), bytes),
                    }
                    ended = Some(begin + 1);
                }
            }
        }
        if let Some(end) = ended {
            out.text(&label(end));
        }
    }
}

/// The line of a label.
fn label(number: usize) -> String {
    format!(".L_{number}:\n")
}

/// Writes the value of an attribute.
struct ValueText<'v, 'l, 'a, 'o> {
    infos: &'v mut Infos<'l, 'a>,
    /// The offset in the section.
    at: usize,
    /// The label of the value's start, until it is written.
    begins: Option<usize>,
    out: &'v mut Printed<'o>,
}

impl ValueText<'_, '_, '_, '_> {
    /// Writes the label of the value's start, before its first number.
    fn start(&mut self) {
        if let Some(begin) = self.begins.take() {
            self.out.text(&label(begin));
        }
    }

    /// Writes a line of data.
    fn line(&mut self, directive: &str, text: &str, bytes: usize) {
        self.start();
        self.out.text(&format!("        /*{:04x}*/ \t{directive}\t{text}\n", self.at));
        self.at += bytes;
    }

    /// Writes a number of 1, 2, 4 or 8 bytes.
    fn number(&mut self, bytes: &[u8]) {
        let number = bytes.iter().rev().fold(0u64, |all, b| all << 8 | u64::from(*b));
        let directive = match bytes.len() {
            1 if number == 0 => return self.bytes(bytes),
            1 => ".byte",
            2 => ".short",
            4 => ".word",
            _ => ".dword",
        };
        self.line(directive, &format!("0x{number:0width$x}", width = 2 * bytes.len()), bytes.len());
    }

    /// Writes bytes.
    fn bytes(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.start();
            super::data::bytes(bytes, self.at, self.out);
            self.at += bytes.len();
        }
    }

    /// Writes the number of a symbol by its name.
    fn symbol(&mut self, bytes: &[u8]) {
        let number = bytes.iter().rev().fold(0usize, |all, b| all << 8 | usize::from(*b));
        match self.infos.names.get(number) {
            Some(name) if number != 0 => {
                self.out.text("\t.align\t\t4\n");
                self.line(".word", &format!("index@({name})"), 4);
            }
            _ => self.number(bytes),
        }
    }

    /// Writes the comment before the n-th time of parts that repeat, which counts to 255.
    fn time(&mut self, n: usize) {
        self.out.text(&format!("\n\n\t//   ....[{}]....\n", n & 0xff));
    }

    /// Writes a value by its parts.
    fn parts(&mut self, parts: &str, mut bytes: &[u8]) {
        let (repeats, counts) = (parts.starts_with('#'), parts.starts_with(['#', '%']));
        let parts = parts.trim_start_matches(['#', '%']);
        let size = |part: u8| match part {
            b'b' => 1,
            b'h' => 2,
            b'd' => 8,
            _ => 4,
        };
        let all: usize = parts.bytes().map(size).sum();
        let mut n = 0;
        while bytes.len() >= all && (n == 0 || repeats && !bytes.is_empty()) && all > 0 {
            if counts {
                self.time(n);
            }
            for part in parts.bytes() {
                let (now, rest) = bytes.split_at(size(part));
                bytes = rest;
                match part {
                    b's' => self.symbol(now),
                    _ => self.number(now),
                }
            }
            n += 1;
        }
        self.bytes(bytes);
    }

    /// Writes instructions with their targets.
    fn branches(&mut self, attribute: &Attribute<'_>, function: usize) {
        let name = |labels: &Labels, at: u32| match labels.place(function, at) {
            Some((name, 0)) => format!("{name}@srel"),
            Some((name, distance)) => format!("({name}@srel + {distance:#x})"),
            None => format!("{at:#x}"),
        };
        for (n, branch) in attribute.branches().into_iter().enumerate() {
            self.time(n);
            let text = name(self.infos.labels, branch.place);
            self.line(".word", &text, 4);
            self.line(".short", &format!("{:#x}", branch.number & 0xffff), 2);
            self.line(".short", &format!("{:#x}", branch.number >> 16), 2);
            self.line(".word", &format!("{:#x}", branch.targets.len()), 4);
            for target in branch.targets {
                let text = name(self.infos.labels, target);
                self.line(".word", &text, 4);
            }
        }
    }
}
