//! What is known of a special register.

use crate::launch::{Launch, Place};
use crate::{Chip, ShaderStage};

/// What a special register is about: all that belong to one read the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A lane.
    Thread,
    /// A warp of 32 lanes.
    Warp,
    /// A block of threads of a grid.
    Block,
    /// A multiprocessor.
    Multiprocessor,
    /// All that runs.
    Global,
}

impl Scope {
    /// The name, such as `warp`.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Thread => "thread",
            Scope::Warp => "warp",
            Scope::Block => "block",
            Scope::Multiprocessor => "multiprocessor",
            Scope::Global => "everything",
        }
    }
}

/// What is known of a special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// What it holds.
    Described,
    /// That it has a name, but reads as zero so far.
    Zero,
    /// Only its name: what describes the registers calls it reserved.
    NameOnly,
}

/// Some bits of a special register. Bits of no field read as zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Its name, empty where it has none.
    pub name: &'static str,
    /// The lowest bit.
    pub lo: u8,
    /// How many bits.
    pub width: u8,
    /// The first chip on which it lies there.
    pub since: Chip,
    /// The last such chip.
    pub until: Chip,
    /// What it holds.
    pub meaning: &'static str,
}

/// A special register.
#[derive(Clone, Copy, Debug)]
pub struct SpecialRegister {
    /// Its number, 0 to 255.
    pub number: u8,
    /// Its name as nvdisasm writes it. Numbers without a name are written `SRn`.
    pub name: &'static str,
    /// The first chip for which nvdisasm knows the name.
    pub named_since: Chip,
    /// What it is about; `None` where that is not known.
    pub scope: Option<Scope>,
    /// The stages in which it can be anything but zero.
    pub stages: &'static [ShaderStage],
    /// Whether it is coupled with execution, so that CS2R can read it. CS2R reads the others as zero.
    pub coupled: bool,
    /// What is known of it.
    pub knowledge: Knowledge,
    /// What it holds, in one or two sentences.
    pub meaning: &'static str,
    /// Its fields, the lowest first.
    pub fields: &'static [Bits],
    /// Where what describes the registers and nvdisasm disagree, or the former with itself; empty where
    /// they agree.
    pub disagreement: &'static str,
    /// The value, by the launch and the lane's position; `None` where it is 0, where the description
    /// leaves it to the driver, and for clocks, which the engine that runs the program advances.
    pub value: Option<fn(&Launch, &Place) -> u32>,
}

impl SpecialRegister {
    /// Whether it always reads as zero in a stage.
    pub fn reads_zero(&self, stage: ShaderStage) -> bool {
        self.knowledge == Knowledge::Zero || !self.stages.contains(&stage)
    }

    /// The fields that it has on a chip.
    pub fn fields(&self, chip: Chip) -> impl Iterator<Item = &'static Bits> {
        self.fields.iter().filter(move |f| f.since <= chip && chip <= f.until)
    }
}
