//! Linking a vertex and a fragment program.

use super::finding::{Finding, Part, span};
use super::messages::Confirmed;
use super::messages::given;
use super::state::named;
use crate::operand::D;
use crate::shape::Want;
use crate::{Agal, Dest, Program, RegType, Source};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Stage};
use shisa_rows::Insn;

/// More varyings than any version has.
const VARYINGS: usize = 16;

/// A program's use of varyings and outputs.
#[derive(Clone, Copy, Default)]
struct Interface {
    /// Components read (fragment) or written (vertex) of each varying.
    varyings: [u8; VARYINGS],
    /// The token, counted from 1, that last accessed each varying.
    tokens: [u32; VARYINGS],
    /// Components written in any output.
    output: u8,
}

fn describe(program: &Program) -> Interface {
    let mut interface = Interface::default();
    for (number, word) in (1u32..).zip(&program.tokens) {
        let Some(insn) = Insn::<Agal>::decode(*word) else { continue };
        let mut touch = |register: usize, mask: u8| {
            if let (Some(m), Some(t)) =
                (interface.varyings.get_mut(register), interface.tokens.get_mut(register))
            {
                *m |= mask;
                *t = number;
            }
        };
        let dest = Dest::of(word);
        if program.stage == Stage::Vertex {
            if insn.form().operand(D).is_some() {
                match dest.kind() {
                    RegType::VARYING => touch(usize::from(dest.number()), dest.mask().0),
                    RegType::OUTPUT => interface.output |= dest.mask().0,
                    _ => {}
                }
            }
            continue;
        }
        let wants = insn.form().attr.wants;
        for (want, bits) in [(wants.a, word[1]), (wants.b, word[2])] {
            let source = Source(bits);
            let rows = match want {
                Want::Nothing | Want::Sampler => continue,
                Want::Matrix(rows) => usize::from(rows),
                _ => 1,
            };
            if source.kind() == RegType::VARYING && !source.indirect() {
                (0..rows).for_each(|r| touch(usize::from(source.number()) + r, named(source.swizzle())));
            }
        }
        if insn.form().operand(D).is_some() && dest.kind() == RegType::OUTPUT {
            interface.output |= dest.mask().0;
        }
    }
    interface
}

/// Checks whether two programs that are valid alone can be linked. Returns all findings, in Flash's order.
///
/// Labels point into the fragment program for what it reads (3632, 3634) and into the vertex program for what it
/// writes (3633, 3635); the token of a finding belongs to the same program.
pub fn link(vertex: &Program, fragment: &Program) -> Vec<Finding> {
    let mut found = Vec::new();
    if fragment.stage != Stage::Fragment {
        let help = "the second program of a pair is the fragment program; are the two swapped?";
        found.push(finding(3630, "", None).help(help).at(6..7));
    }
    if vertex.stage != Stage::Vertex {
        let help = "the first program of a pair is the vertex program; are the two swapped?";
        found.push(finding(3631, "", None).help(help).at(6..7));
    }
    if !found.is_empty() {
        return found.into_iter().map(|f| f.0).collect();
    }
    // Players treat version 0 as 1.
    let (v, f) = (vertex.version.max(1), fragment.version.max(1));
    if v != f {
        let help = format!(
            "the vertex program is AGAL {v}, the fragment program AGAL {f}: give both the same version"
        );
        found.push(finding(3757, "", None).help(help).at(1..5));
    }
    let (writes, reads) = (describe(vertex), describe(fragment));
    for i in 0..VARYINGS {
        let (written, read) = (writes.varyings[i], reads.varyings[i]);
        let name = format!("v{i}");
        if read & !written != 0 {
            found.push(unread(&name, written, read, reads.tokens[i]));
        }
        if written != 0 && written != 15 {
            let missing = Mask(15 & !written);
            let help = format!(
                "write {name}.{missing:?} in the vertex program too, for example with mov {name}, va0"
            );
            found.push(finding(3633, &name, Some((writes.tokens[i], Part::Destination))).help(help));
        }
    }
    if reads.output != 15 {
        found.push(
            finding(3634, "", None)
                .help("the fragment program writes no colour: end it with mov oc, ft0")
                .at(0..7),
        );
    }
    if writes.output != 15 {
        let missing = Mask(15 & !writes.output);
        let help = format!(
            "the vertex program leaves op.{missing:?} unwritten: write all four components, for example with m44 op, va0, vc0"
        );
        found.push(finding(3635, "", None).help(help).at(0..7));
    }
    found.into_iter().map(|f| f.0).collect()
}

fn unread(name: &str, written: u8, read: u8, token: u32) -> Draft {
    let (missing, read) = (Mask(read & !written), Mask(read));
    let draft = finding(3632, name, Some((token, Part::Opcode)));
    let help = match written {
        0 => format!("the vertex program never writes {name}: write all four components of it there"),
        _ => format!(
            "the fragment program reads {name}.{read:?}, the vertex program does not write {name}.{missing:?}"
        ),
    };
    draft.help(help)
}

/// A finding under construction.
struct Draft(Finding);

impl Draft {
    fn help(mut self, text: impl Into<alloc::string::String>) -> Self {
        self.0.diagnostic = self.0.diagnostic.help(text);
        self
    }

    fn at(mut self, range: core::ops::Range<usize>) -> Self {
        self.0.diagnostic = self.0.diagnostic.at_bytes(range, "");
        self
    }
}

/// A finding about a varying or an output, at a part of a token.
fn finding(number: u16, name: &str, at: Option<(u32, Part)>) -> Draft {
    let rule = given(number);
    let mut d = Diagnostic::error(rule.code, rule.text.replace("%1", name));
    if let Some((token, part)) = at {
        d = d.at_bytes(span(token, Some(part)), name);
    }
    if rule.confirmed == Confirmed::MessageTableOnly {
        d = d.note(super::report::UNCONFIRMED);
    }
    Draft(Finding { number, token: at.map(|a| a.0), part: at.map(|a| a.1), doubtful: false, diagnostic: d })
}
