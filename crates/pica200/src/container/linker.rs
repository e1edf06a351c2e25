//! Links objects to a shader binary.

use super::{Descriptor, Dvle, Object, Shbin, text_at};
use crate::attributes::Role;
use crate::operand::{NUMBER, TO};
use crate::word::DESCRIPTORS;
use crate::{Pica200, registers};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_rows::Insn;

/// The name of the label that a program begins with.
const MAIN: &str = "main";
/// Words that a target reaches.
const WORDS: usize = 1 << 12;

/// Links objects, each to a program. Words follow each other in the order of the objects; equal descriptors are shared. A
/// program begins with its label `main`, or with its first word; it is a geometry program if it emits vertices. Returns
/// the binary, and warnings about relocations whose meaning is not known.
///
/// # Errors
/// `shbin-link` if the words, or the descriptors, do not fit one binary.
pub fn link_objects(objects: &[Object]) -> Result<(Shbin, Vec<Diagnostic>), Diagnostic> {
    let mut linked = Shbin::default();
    let (mut warnings, mut programs) = (Vec::new(), Vec::new());
    let mut pool = Pool::default();
    // Some instructions reach only the first descriptors, which are therefore placed first.
    for object in objects {
        for insn in object.linked.code.iter().filter_map(|w| Insn::<Pica200>::decode((*w).into())) {
            // One that the object does not have is reported below.
            if let Some(number) = insn.form().operand(NUMBER)
                && number.field.mask::<u64>().count_ones() < DESCRIPTORS.ilog2()
                && let Some(descriptor) = object.linked.descriptors.get(number.field.get(&insn.word) as usize)
            {
                pool.number(*descriptor);
            }
        }
    }
    for (n, object) in objects.iter().enumerate() {
        let (base, names) = (linked.code.len(), linked.names.len() as u32);
        let file = &object.linked;
        for at in object.relocations.iter().map(|r| r.at) {
            let target = |w: &u32| {
                Insn::<Pica200>::decode((*w).into()).is_some_and(|i| i.form().operand(TO).is_some())
            };
            if !file.code.get(at as usize).is_some_and(target) {
                let text = format!("object {} relocates word {at}, which has no target: it stays", n + 1);
                warnings.push(Diagnostic::warning("shbin-relocation", text));
            }
        }
        let moved = file.code.iter().map(|word| pool.moved(*word, base, &file.descriptors));
        linked.code.extend(moved.collect::<Result<Vec<_>, _>>()?);
        linked
            .lines
            .extend(file.lines.iter().map(|l| super::LineEntry { name: l.name.saturating_add(names), ..*l }));
        linked.names.extend(&file.names);
        programs.extend(file.programs.iter().map(|p| program(p, file, base)));
    }
    // A line table has an entry for each word.
    if linked.lines.len() != linked.code.len() {
        (linked.lines, linked.names) = (Vec::new(), Vec::new());
    }
    linked.descriptors = pool.descriptors;
    linked.programs = programs;
    Ok((linked, warnings))
}

/// The program of an object whose first word is at `base`.
fn program(object: &Dvle, file: &Shbin, base: usize) -> Dvle {
    let base = base as u32;
    let main = object.labels.iter().find(|l| text_at(&object.symbols, l.name) == Some(MAIN));
    let emits = |w: &u32| {
        let role = Insn::<Pica200>::decode((*w).into()).map(|insn| insn.form().attr.role);
        matches!(role, Some(Role::Emit | Role::SetEmit))
    };
    let inputs = object.uniforms.iter().filter(|u| u.last < registers::INPUT_COUNT);
    let mut program = object.clone();
    program.kind = file.code.iter().any(emits).into();
    program.entry = base.saturating_add(main.map_or(0, |l| l.at));
    program.end = base.saturating_add(object.end);
    program.labels.iter_mut().for_each(|l| l.at = l.at.saturating_add(base));
    program.inputs = inputs.flat_map(|u| u.first..=u.last).fold(0, |mask, n| mask | 1 << n);
    program.output_mask = object.enabled_outputs();
    program
}

/// The descriptors of all objects.
#[derive(Default)]
struct Pool {
    descriptors: Vec<Descriptor>,
}

impl Pool {
    /// The number of an equal descriptor.
    fn number(&mut self, descriptor: Descriptor) -> usize {
        let known = self.descriptors.iter().position(|d| *d == descriptor);
        known.unwrap_or_else(|| {
            self.descriptors.push(descriptor);
            self.descriptors.len() - 1
        })
    }

    /// A word of an object whose first word is at `base`.
    fn moved(&mut self, word: u32, base: usize, descriptors: &[Descriptor]) -> Result<u32, Diagnostic> {
        let Some(mut insn) = Insn::<Pica200>::decode(word.into()) else { return Ok(word) };
        if let Some(number) = insn.form().operand(NUMBER) {
            let old = number.field.get(&insn.word) as usize;
            let missing = || {
                let text = format!("the word {word:#010x} of an object uses operand descriptor {old}");
                let d = Diagnostic::error("shbin-link", text);
                d.note(format!("its object has {}", descriptors.len()))
            };
            let new = self.number(*descriptors.get(old).ok_or_else(missing)?) as u64;
            if new >> number.field.mask::<u64>().count_ones() != 0 {
                let text = "the objects have more operand descriptors together than a binary has";
                return Err(Diagnostic::error("shbin-link", text).help("link fewer objects"));
            }
            number.field.set(&mut insn.word, new);
        }
        if let Some(target) = insn.form().operand(TO) {
            let to = target.field.get(&insn.word) as usize + base;
            if to >= WORDS {
                let text = format!("the objects have more than {WORDS} words together");
                return Err(Diagnostic::error("shbin-link", text).help("link fewer objects"));
            }
            target.field.set(&mut insn.word, to as u64);
        }
        Ok(insn.word as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::{Label, OutputEntry, Relocation, Uniform};
    use crate::tests::assemble;
    use alloc::vec;

    fn object(lines: &[&str]) -> Object {
        let program = assemble(lines);
        let descriptors = program.descriptors.iter().map(|bits| Descriptor { bits: *bits, flags: 0 });
        let dvle = Dvle {
            end: lines.len() as u32,
            labels: vec![Label { id: 0, at: 1, length: 1, name: 0 }],
            outputs: vec![OutputEntry { kind: 0, register: 2, mask: 15, unknown: 0 }],
            uniforms: vec![Uniform { name: 0, first: 0, last: 1 }],
            symbols: b"main\0".to_vec(),
            ..Dvle::default()
        };
        let linked = Shbin {
            code: program.code.clone(),
            descriptors: descriptors.collect(),
            programs: vec![dvle],
            ..Shbin::default()
        };
        Object { relocations: vec![Relocation { at: 0, unknown: [0; 2] }], linked, ..Object::default() }
    }

    #[test]
    fn objects_follow_each_other() {
        let first = object(&["jmpu b0, 2", "mov o2, v0", "end"]);
        let second = object(&["for i0, 1", "mov o2.x, v1", "mad r0, r1, r2, r3", "setemit 0", "end"]);
        let (file, warnings) = link_objects(&[first, second]).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let both = [
            "jmpu b0, 2",
            "mov o2, v0",
            "end",
            "for i0, 4",
            "mov o2.x, v1",
            "mad r0, r1, r2, r3",
            "setemit 0",
            "end",
        ];
        let pool: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
        let want = assemble(&both);
        let fused = |code: &[u32], pool: &[u32]| {
            let whole = |w: &u32| crate::word::fuse(*w, pool) & !u64::from(crate::word::number_bits(*w));
            code.iter().map(whole).collect::<Vec<_>>()
        };
        assert_eq!(fused(&file.code, &pool), fused(&want.code, &want.descriptors));
        let headers: Vec<_> = file
            .programs
            .iter()
            .map(|p| (p.kind, p.entry, p.end, p.inputs, p.output_mask, p.labels[0].at))
            .collect();
        assert_eq!(headers, [(0, 1, 3, 3, 4, 1), (1, 4, 8, 3, 4, 4)]);
    }

    #[test]
    fn objects_that_do_not_fit_are_refused() {
        let mut long = object(&["jmpu b0, 1", "end"]);
        long.linked.code.resize(4096, 0x22 << 26);
        assert_eq!(link_objects(&[long.clone(), long]).unwrap_err().code, "shbin-link");
        let mut many = object(&["mov o2, v0", "end"]);
        many.linked.descriptors = (0..128).map(|bits| Descriptor { bits, flags: 0 }).collect();
        many.linked.code = (0..128).map(|n| 0x13 << 26 | n).collect();
        let mut more = many.clone();
        more.linked.descriptors.iter_mut().for_each(|d| d.flags = 1);
        assert!(link_objects(&[many.clone()]).is_ok() && link_objects(&[many.clone(), many.clone()]).is_ok());
        assert_eq!(link_objects(&[many, more]).unwrap_err().code, "shbin-link");
        let mut missing = object(&["mov o2, v0", "end"]);
        missing.linked.descriptors.clear();
        assert_eq!(link_objects(&[missing]).unwrap_err().code, "shbin-link");
        let mut strange = object(&["mov o2, v0", "end"]);
        strange.relocations[0].at = 9;
        assert_eq!(link_objects(&[strange]).unwrap().1[0].code, "shbin-relocation");
    }
}
