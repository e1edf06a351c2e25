//! Headers as directives of a listing, and back.
//!
//! A line is `.sph NAME VALUE`; elements are `NAME[n]`. Fields that are zero are left out, except the type, which
//! comes first, because it determines which fields exist.

use super::field::{Field, INTERPOLATIONS, Kind};
use super::{SPH_BYTES, Sph};
use alloc::{format, string::String, vec::Vec};
use core::fmt::Write as _;
use shisa_diag::{Diagnostic, Limits, Sink};
use shisa_rows::nearest;

/// What a line of a header begins with.
pub const DIRECTIVE: &str = ".sph";

/// The text for no bit at all.
const NONE: &str = "none";

/// The letters of components.
const COMPONENTS: &str = "xyzw";

impl Sph {
    /// The header as lines.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for field in self.fields() {
            for number in 0..field.count {
                let value = field.get(self, number);
                if value == 0 && field.name != "SphType" {
                    continue;
                }
                let value = field.text(value);
                let _ = match field.count {
                    1 => writeln!(out, "{DIRECTIVE} {} {value}", field.name),
                    _ => writeln!(out, "{DIRECTIVE} {}[{number}] {value}", field.name),
                };
            }
        }
        out
    }

    /// A header from lines as [`Sph::text`] writes them, with blank lines between them.
    ///
    /// # Errors
    /// All faults, with their positions in the text: `sph-field`, `sph-value`.
    pub fn parse(text: &str, limits: &Limits) -> Result<Sph, Vec<Diagnostic>> {
        let mut sink = Sink::new(limits.diagnostics);
        let mut sph = Sph([0; SPH_BYTES]);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let body = line.trim_start();
            let start = at + line.len() - body.len();
            at += line.len();
            if body.is_empty() {
                continue;
            }
            let done = match body.strip_prefix(DIRECTIVE).filter(|r| r.starts_with([' ', '\t'])) {
                Some(rest) => sph.set(rest, start + DIRECTIVE.len()),
                None => {
                    let end = start + body.trim_end().len();
                    let d = Diagnostic::error("sph-field", format!("a line begins with {DIRECTIVE}"));
                    Err(d.at_text(start..end, ""))
                }
            };
            done.unwrap_or_else(|d| sink.push(d));
        }
        if sink.errors() > 0 { Err(sink.finish()) } else { Ok(sph) }
    }

    /// Sets the field that `line`, the rest of a line after `.sph`, names. `at` is its offset in the text.
    ///
    /// # Errors
    /// `sph-field`, `sph-value`.
    pub fn set(&mut self, line: &str, at: usize) -> Result<(), Diagnostic> {
        let name_at = line.len() - line.trim_start().len();
        let rest = line.get(name_at..).unwrap_or_default();
        let (target, value) = rest.split_once([' ', '\t']).unwrap_or((rest.trim_end(), ""));
        let place = at + name_at..at + name_at + target.len();
        let (name, number) = match target.strip_suffix(']').and_then(|t| t.split_once('[')) {
            Some((name, number)) => (name, Some(number)),
            None => (target, None),
        };
        let Some(field) = self.fields().find(|f| f.name == name) else {
            let d = Diagnostic::error("sph-field", format!("a header of this type has no field {name:?}"));
            let d = d.at_text(place, "");
            return Err(match nearest(name, self.fields().map(|f| f.name)) {
                Some(near) => d.did_you_mean(near),
                None => d.help("SphType comes first: it determines which fields exist"),
            });
        };
        let number = match (field.count, number) {
            (1, None) => 0,
            (1, Some(_)) => {
                let d = Diagnostic::error("sph-field", format!("{name} has no elements"));
                return Err(d.at_text(place, ""));
            }
            (count, number) => match number.and_then(|n| n.parse::<u16>().ok()).filter(|n| *n < count) {
                Some(number) => number,
                None => {
                    let text = format!("the elements of {name} are {name}[0] to {name}[{}]", count - 1);
                    return Err(Diagnostic::error("sph-field", text).at_text(place, ""));
                }
            },
        };
        let text = value.trim();
        let value_at = at + name_at + rest.len() - value.trim_start().len();
        let value = field.value(text).ok_or_else(|| {
            let d = Diagnostic::error("sph-value", format!("{text:?} is not a value of {name}"));
            d.at_text(value_at.min(at + line.len())..value_at + text.len(), "").help(field.values())
        })?;
        field.set(self, number, value);
        Ok(())
    }
}

impl Field {
    /// The highest value.
    fn max(&self) -> u32 {
        u32::MAX >> (32 - self.width)
    }

    /// The text of a value.
    pub fn text(&self, value: u32) -> String {
        match self.kind {
            Kind::Number | Kind::Flag => format!("{value}"),
            Kind::Hex => format!("{value:#x}"),
            Kind::Set(_) | Kind::Components | Kind::Interpolation if value == 0 => NONE.into(),
            Kind::Named(names) => match names.iter().find(|(n, _)| *n == value) {
                Some((_, name)) => (*name).into(),
                None => format!("{value}"),
            },
            Kind::Set(names) => {
                let set = (0..self.width).filter(|bit| value >> bit & 1 == 1);
                join(set.map(|bit| bit_name(names, bit)))
            }
            Kind::Components => letters(|n| value >> n & 1 == 1),
            Kind::Interpolation => {
                let parts = INTERPOLATIONS.iter().enumerate().skip(1);
                let parts = parts.map(|(how, name)| (name, letters(|n| value >> (2 * n) & 3 == how as u32)));
                join(parts.filter(|(_, of)| !of.is_empty()).map(|(name, of)| format!("{name}.{of}")))
            }
        }
    }

    /// The value of a text; `None` if it is not one. All kinds also accept numbers.
    pub fn value(&self, text: &str) -> Option<u32> {
        let number = match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten(),
        };
        if let Some(number) = number {
            return (number <= self.max()).then_some(number);
        }
        let mut words = text.split_ascii_whitespace();
        match self.kind {
            _ if text.is_empty() => None,
            Kind::Number | Kind::Hex | Kind::Flag => None,
            Kind::Set(_) | Kind::Components | Kind::Interpolation if text == NONE => Some(0),
            Kind::Named(names) => names.iter().find(|(_, name)| *name == text).map(|(n, _)| *n),
            Kind::Set(names) => {
                let bit = |word: &str| (0..self.width).find(|bit| bit_name(names, *bit) == word);
                words.try_fold(0, |all, word| Some(all | 1 << bit(word)?))
            }
            Kind::Components => mask(text),
            Kind::Interpolation => words.try_fold(0, |all, word| {
                let (name, of) = word.split_once('.')?;
                let how = INTERPOLATIONS.iter().position(|n| *n == name)? as u32;
                let mask = mask(of)?;
                Some(
                    (0..4)
                        .filter(|n| mask >> n & 1 == 1)
                        .fold(all, |all, n| all & !(3 << (2 * n)) | how << (2 * n)),
                )
            }),
        }
    }

    /// A description of the values.
    pub fn values(&self) -> String {
        let names = |names: Vec<&str>| names.join(", ");
        match self.kind {
            Kind::Number | Kind::Hex => format!("a number up to {:#x}", self.max()),
            Kind::Flag => "0 or 1".into(),
            Kind::Named(list) => format!("one of {}", names(list.iter().map(|(_, name)| *name).collect())),
            Kind::Set(list) => {
                let named: Vec<&str> = list.iter().copied().filter(|n| !n.is_empty()).collect();
                format!("any of {}, and bitN for other bits", names(named))
            }
            Kind::Components => "some of the letters xyzw, in this order".into(),
            Kind::Interpolation => {
                format!("such as perspective.xyz constant.w; there are {}", names(INTERPOLATIONS.to_vec()))
            }
        }
    }
}

fn bit_name(names: &[&str], bit: u16) -> String {
    match names.get(usize::from(bit)) {
        Some(name) if !name.is_empty() => (*name).into(),
        _ => format!("bit{bit}"),
    }
}

fn letters(has: impl Fn(usize) -> bool) -> String {
    COMPONENTS.chars().enumerate().filter(|(n, _)| has(*n)).map(|(_, letter)| letter).collect()
}

/// The mask of some letters, each once and in order.
fn mask(text: &str) -> Option<u32> {
    let mut mask = 0;
    for letter in text.chars() {
        let bit = 1 << COMPONENTS.find(letter)?;
        if mask >= bit {
            return None;
        }
        mask |= bit;
    }
    (mask != 0).then_some(mask)
}

fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
