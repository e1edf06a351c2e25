//! Graphs recovered from lifted programs.

use super::{Edge, Flow};
use shisa_ir::{End, FileId, Func, Units, live_units};
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
        let sets = live_units(&self.func, self.temporaries.file, self.left, count);
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
