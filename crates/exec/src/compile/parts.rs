//! Components of values.

use shisa_ir::Reg;
use std::collections::BTreeMap;

/// The number of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Part(u32);

impl Part {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a component comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A constant.
    Constant(u32),
    /// A unit of an input or uniform register.
    Unit(Reg),
    /// An instruction.
    Computed,
}

/// All components of a program.
#[derive(Default)]
pub(super) struct Parts {
    list: Vec<(Source, bool)>,
    constants: BTreeMap<u32, Part>,
    units: BTreeMap<Reg, Part>,
}

impl Parts {
    fn add(&mut self, source: Source, is_uniform: bool) -> Part {
        let part = Part(self.list.len() as u32);
        self.list.push((source, is_uniform));
        part
    }

    /// A constant.
    pub(super) fn constant(&mut self, bits: u32) -> Part {
        if let Some(part) = self.constants.get(&bits) {
            return *part;
        }
        let part = self.add(Source::Constant(bits), true);
        self.constants.insert(bits, part);
        part
    }

    /// A unit of an input or uniform register.
    pub(super) fn unit(&mut self, reg: Reg, is_uniform: bool) -> Part {
        if let Some(part) = self.units.get(&reg) {
            return *part;
        }
        let part = self.add(Source::Unit(reg), is_uniform);
        self.units.insert(reg, part);
        part
    }

    /// The result of an instruction.
    pub(super) fn computed(&mut self, is_uniform: bool) -> Part {
        self.add(Source::Computed, is_uniform)
    }

    /// Number of components.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn is_uniform(&self, part: Part) -> bool {
        self.list[part.index()].1
    }

    /// The bits, if the component is a constant.
    pub(super) fn bits(&self, part: Part) -> Option<u32> {
        match self.list[part.index()].0 {
            Source::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// All components, with their sources and whether they are uniform.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Part, Source, bool)> {
        (0..).zip(&self.list).map(|(n, &(source, is_uniform))| (Part(n), source, is_uniform))
    }
}
