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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// `mov DEST, SOURCE`: kind, number and mask or swizzle of each.
    fn mov(dest: (RegType, u16, u8), source: (RegType, u16, u8)) -> crate::Token {
        let (d, s) = (dest, source);
        let dest = u64::from(d.1) | u64::from(d.2) << 16 | u64::from(d.0.0) << 24;
        [dest << 32, u64::from(s.1) | u64::from(s.2) << 24 | u64::from(s.0.0) << 32, 0]
    }

    /// A vertex program that writes these varyings and the position; a fragment program that reads these.
    fn pair(written: &[(u16, u8)], read: &[(u16, u8)]) -> (Program, Program) {
        let (mut v, mut f) = (Program::new(1, Stage::Vertex), Program::new(1, Stage::Fragment));
        let input = (RegType::ATTRIBUTE, 0, 0xe4);
        v.tokens.extend(written.iter().map(|&(n, mask)| mov((RegType::VARYING, n, mask), input)));
        v.tokens.push(mov((RegType::OUTPUT, 0, 15), input));
        let temporary = (RegType::TEMPORARY, 0, 15);
        f.tokens.extend(read.iter().map(|&(n, swizzle)| mov(temporary, (RegType::VARYING, n, swizzle))));
        f.tokens.push(mov((RegType::OUTPUT, 0, 15), (RegType::TEMPORARY, 0, 0xe4)));
        (v, f)
    }

    fn numbers(vertex: &Program, fragment: &Program) -> Vec<u16> {
        link(vertex, fragment).iter().map(|f| f.number).collect()
    }

    #[test]
    fn varyings() {
        let check = |written: &[(u16, u8)], read: &[(u16, u8)]| {
            let (v, f) = pair(written, read);
            numbers(&v, &f)
        };
        assert_eq!(check(&[(0, 15)], &[(0, 0xe4)]), []);
        assert_eq!(check(&[(0, 3), (0, 12)], &[(0, 0xe4)]), [], "written in parts");
        assert_eq!(check(&[(0, 15), (1, 15)], &[(0, 0xe4)]), [], "not read");
        assert_eq!(check(&[(0, 15)], &[(1, 0xe4)]), [3632]);
        assert_eq!(check(&[(0, 7)], &[(0, 0xe4)]), [3632, 3633]);
        assert_eq!(check(&[(0, 7)], &[(0, 0xa4)]), [3633], "xyzz is written, w is still required");
        assert_eq!(check(&[(0, 7)], &[]), [3633], "whoever reads it");
        assert_eq!(check(&[(1, 7)], &[(0, 0xe4), (2, 0)]), [3632, 3633, 3632], "by number");
    }

    #[test]
    fn findings_name_the_varying_and_the_token() {
        let (v, f) = pair(&[(0, 15), (3, 7)], &[(0, 0xe4), (3, 0xff)]);
        let found = link(&v, &f);
        let text = "AGAL linkage: Varying v3 is read in the fragment shader but not written to by the vertex shader.";
        assert_eq!((found[0].diagnostic.message.as_str(), found[0].token), (text, Some(2)));
        assert_eq!(
            found[0].diagnostic.help,
            ["the fragment program reads v3.w, the vertex program does not write v3.w"]
        );
        assert_eq!(
            (found[1].number, found[1].token, found[1].part),
            (3633, Some(2), Some(Part::Destination))
        );
        assert!(found[1].diagnostic.help[0].contains("v3.w"));
    }

    #[test]
    fn outputs_stages_and_versions() {
        let (mut v, mut f) = pair(&[], &[]);
        assert_eq!(numbers(&f, &v), [3630, 3631]);
        assert_eq!(numbers(&v, &v), [3630]);
        assert_eq!(numbers(&f, &f), [3631]);
        f.version = 2;
        assert_eq!(numbers(&v, &f), [3757]);
        v.version = 0;
        f.version = 1;
        assert_eq!(numbers(&v, &f), [], "0 counts as 1");
        v.tokens = vec![mov((RegType::OUTPUT, 0, 7), (RegType::ATTRIBUTE, 0, 0xe4))];
        assert_eq!(numbers(&v, &f), [3635]);
        f.tokens.clear();
        assert_eq!(numbers(&v, &f), [3634, 3635]);
    }

    /// Every row of a matrix of varyings counts.
    #[test]
    fn matrix_of_varyings() {
        let (v, mut f) = pair(&[(0, 15), (1, 15), (2, 15)], &[]);
        f.tokens.insert(0, [0x020f_0000_0000_0018, 0x4_e400_0000, 0x4_e400_0000]);
        assert_eq!(numbers(&v, &f), [3632]);
    }
}
