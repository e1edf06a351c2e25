//! Graphs recovered from lifted programs.

use super::{Edge, Flow};
use shisa_ir::{End, FileId, Func, Op, Reg, Type};
use std::fmt;

/// Names the registers of a set of register units.
pub(crate) type NamesUnits = Box<dyn Fn(&Units) -> Vec<String> + Send + Sync>;

/// A recovered program.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) func: Func,
    pub(crate) temporaries: Temporaries,
    /// Registers that are read after the program ends: a shader part leaves registers for the next part.
    pub(crate) left: Units,
}

/// The register files that hold a program's temporaries.
pub(crate) struct Temporaries {
    pub(crate) file: FileId,
    /// The names of live register units.
    pub(crate) names: NamesUnits,
}

impl fmt::Debug for Temporaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Temporaries").field("file", &self.file).finish_non_exhaustive()
    }
}

/// A set of temporaries' register units, one bit each; no instruction set has more than 256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Units([u64; 4]);

impl Units {
    const ALL: Units = Units([u64::MAX; 4]);

    /// The set of units with these numbers.
    pub(crate) fn of(numbers: impl Iterator<Item = usize>) -> Units {
        numbers.fold(Units::default(), |all, n| all.or(Units::run(n as u32, 1)))
    }

    /// The units in the set from `first`, at most `count`.
    fn run(first: u32, count: u32) -> Units {
        let mut units = Units::default();
        for n in first..first.saturating_add(count).min(256) {
            units.0[n as usize / 64] |= 1 << (n % 64);
        }
        units
    }

    pub(crate) fn has(&self, n: u32) -> bool {
        self.0.get(n as usize / 64).is_some_and(|w| w >> (n % 64) & 1 != 0)
    }

    fn or(self, other: Units) -> Units {
        Units(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    fn without(self, other: Units) -> Units {
        Units(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

/// Names registers of four components with this prefix, such as `ft0.xy`.
pub(crate) fn vectors(name: &'static str) -> NamesUnits {
    Box::new(move |units| (0..64).filter_map(|number| vector(name, number, units)).collect())
}

/// The name of a register of four components, if any of them is in the set.
fn vector(name: &str, number: u32, units: &Units) -> Option<String> {
    let letters = (0..).zip(['x', 'y', 'z', 'w']);
    let live: String = letters.filter(|(i, _)| units.has(4 * number + i)).map(|(_, c)| c).collect();
    (!live.is_empty()).then(|| format!("{name}{number}.{live}"))
}

impl Flow for Recovered {
    fn blocks(&self) -> usize {
        self.func.blocks.len()
    }

    fn live(&self, count: usize) -> Vec<Option<Vec<String>>> {
        let mut before = vec![Units::default(); self.func.blocks.len()];
        // The sets only grow, so this ends; programs without loops take two iterations.
        loop {
            let old = before.clone();
            for number in (0..before.len()).rev() {
                let set = self.walk(number, &before, |_, _| ());
                if let Some(entry) = before.get_mut(number) {
                    *entry = set;
                }
            }
            if before == old {
                break;
            }
        }
        let mut sets: Vec<Option<Units>> = vec![None; count];
        for number in 0..before.len() {
            self.walk(number, &before, |instruction, set| {
                if let Some(entry) = sets.get_mut(instruction) {
                    *entry = Some(entry.unwrap_or_default().or(set));
                }
            });
        }
        sets.into_iter().map(|set| set.map(|s| (self.temporaries.names)(&s))).collect()
    }

    fn instructions(&self, number: usize) -> Vec<usize> {
        let body = self.func.blocks.get(number).map_or(&[][..], |b| &b.body);
        let nodes = body.iter().filter_map(|v| self.func.nodes.list.get(v.index()));
        let mut list: Vec<usize> = nodes.map(|n| n.origin as usize).collect();
        list.dedup();
        list
    }

    fn edges(&self, block: usize) -> Vec<Edge> {
        match self.func.blocks.get(block).map(|b| &b.end) {
            None | Some(End::Exit) => Vec::new(),
            Some(End::Jump(edge)) => vec![Edge { to: edge.to.index(), when: None }],
            Some(End::Branch { yes, no, .. }) => vec![
                Edge { to: yes.to.index(), when: Some(true) },
                Edge { to: no.to.index(), when: Some(false) },
            ],
        }
    }
}

impl Recovered {
    /// The registers live at the start of a block. Calls `each` with the registers live after each of its
    /// instructions, from the last.
    fn walk(&self, number: usize, before: &[Units], mut each: impl FnMut(usize, Units)) -> Units {
        let edges = self.edges(number);
        let ends = if edges.is_empty() { self.left } else { Units::default() };
        let mut live = edges.iter().filter_map(|e| before.get(e.to)).fold(ends, |all, set| all.or(*set));
        let mut instruction = None;
        let body = self.func.blocks.get(number).map_or(&[][..], |b| &b.body);
        for node in body.iter().rev().filter_map(|v| self.func.nodes.list.get(v.index())) {
            if instruction.replace(node.origin) != Some(node.origin) {
                each(node.origin as usize, live);
            }
            match node.op {
                Op::Write { reg, mask, value } => {
                    let written = self.units(reg, self.func.nodes.ty(value), mask.iter());
                    live = live.without(written);
                }
                Op::Read { reg, swizzle } => {
                    live = live.or(self.units(reg, node.ty, (0..4).map(|i| swizzle.get(i))));
                }
                Op::ReadAt { file, .. } if file == self.temporaries.file => live = Units::ALL,
                _ => {}
            }
        }
        live
    }

    /// The units of the temporaries that an access to some components of a value of type `ty` covers.
    fn units(&self, reg: Reg, ty: Type, components: impl Iterator<Item = u8>) -> Units {
        if reg.file != self.temporaries.file {
            return Units::default();
        }
        let step = self.func.files.get(usize::from(reg.file.0)).map_or(1, |f| f.units_of(ty.scalar));
        let run = |c: u8| Units::run(u32::from(reg.unit) + u32::from(c) * u32::from(step), step.into());
        components.take(ty.count.into()).map(run).fold(Units::default(), Units::or)
    }
}
