//! The registers and uniforms that parts pass to each other: the typed description that checks, listings and the
//! reference share. Positions are counted in halves.

use crate::part::{Part, Role};
use crate::sets::{Registers, Uniforms};
use alloc::{format, string::String, vec::Vec};
use shisa_ir::Stage;

/// Attributes of four components that fit in registers.
pub const ATTRIBUTES: usize = 30;
/// Halves of an attribute; attributes begin at multiples of it.
pub(crate) const ATTRIBUTE: usize = 8;
/// Render targets.
pub const TARGETS: usize = 8;
/// Uniforms that a fragment program's driver reserves.
pub const FRAGMENT_UNIFORMS: usize = 16;

/// A value that parts pass to each other in one run of registers or uniforms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first half.
    pub first: usize,
    /// Halves.
    pub halves: usize,
    /// Its meaning.
    pub what: String,
}

impl Place {
    fn new(first: usize, halves: usize, what: impl Into<String>) -> Place {
        Place { first, halves, what: what.into() }
    }

    /// The registers.
    pub fn registers(&self) -> Registers {
        Registers::range(self.first, self.first + self.halves)
    }

    /// The uniforms.
    pub fn uniforms(&self) -> Uniforms {
        Uniforms::range(self.first, self.first + self.halves)
    }
}

/// The registers of the zero-based number of a vertex.
pub(super) const RAW_VERTEX: Registers = Registers::range(8, 10);
/// The registers of the numbers of vertex and instance.
pub(crate) const NUMBERS: Registers = Registers::range(10, 14);
/// The first half of attribute 0.
pub(super) const FIRST_ATTRIBUTE: usize = 2 * ATTRIBUTE;
/// The registers of all attributes.
pub(crate) const ALL_ATTRIBUTES: Registers = Registers::range(FIRST_ATTRIBUTE, 256);
/// The nesting counter.
pub(super) const COUNTER: Registers = Registers::range(0, 1);
/// The mask of the sample that is shaded.
pub(super) const SAMPLE: Registers = Registers::range(2, 3);
/// Depth.
pub(super) const DEPTH: Registers = Registers::range(4, 6);
/// Stencil and the mask of samples that pass early tests.
pub(super) const STENCIL_MASK: Registers = Registers::range(6, 8);
/// Colours of all render targets.
pub(super) const COLOURS: Registers = Registers::range(8, 8 + 8 * TARGETS);
/// The registers that a main part of a fragment program passes to the epilog.
pub(super) const PASSED: Registers = DEPTH.or(STENCIL_MASK).or(COLOURS);
/// The registers of one colour.
pub(super) const fn colour(target: usize) -> Registers {
    Registers::range(8 + 8 * target, 16 + 8 * target)
}
/// The alpha of the first colour, if its components are whole registers. Compilers do not pass one that is the
/// constant 1.0: the epilog knows it and does not read it.
pub(super) const FIRST_ALPHA: Registers = Registers::range(14, 16);
/// The components of the first colour that nothing passes if a shader sets only its alpha, to 1.0.
pub(super) const BESIDE_ALPHA: Registers = Registers::range(8, 14);
/// The registers of the colours of which a shader may leave components undefined that an epilog reads: those of which
/// some components are written, and the first one if its alpha is not `read`. A colour of halves has another component
/// there, so the alpha that it has counts as not read.
pub(super) fn unset(written: Registers, read: Registers) -> Registers {
    let first = if read.and(FIRST_ALPHA).is_empty() { BESIDE_ALPHA } else { Registers::EMPTY };
    begun(written).or(first)
}
/// The registers of the colours of which some components are written.
pub(super) fn begun(written: Registers) -> Registers {
    let colours = (0..TARGETS).map(colour).filter(|c| !written.and(*c).is_empty());
    colours.fold(Registers::EMPTY, Registers::or)
}
/// The constants of blending, which only the epilog reads.
pub(super) const BLEND: Uniforms = Uniforms::range(4, 12);

/// The registers that a vertex prolog passes to a main part that reads attributes below `n`.
pub fn vertex_registers(n: usize, compute: bool) -> Vec<Place> {
    let mut list = Vec::new();
    if compute {
        list.push(Place::new(8, 2, "vertex, counted from zero"));
    }
    list.push(Place::new(10, 2, "vertex"));
    list.push(Place::new(12, 2, "instance"));
    let place = |k| Place::new(FIRST_ATTRIBUTE + ATTRIBUTE * k, ATTRIBUTE, format!("attribute {k}"));
    list.extend((0..n.min(ATTRIBUTES)).map(place));
    list
}

/// The uniforms that a vertex program's driver reserves for `n` attributes.
pub fn vertex_uniforms(n: usize, compute: bool) -> Vec<Place> {
    let mut list: Vec<Place> =
        (0..n).map(|k| Place::new(4 * k, 4, format!("address of attribute {k}"))).collect();
    list.extend((0..n).map(|k| Place::new(4 * n + 2 * k, 2, format!("largest index of attribute {k}"))));
    list.push(Place::new(6 * n, 2, "first vertex"));
    list.push(Place::new(6 * n + 2, 2, "first instance"));
    list.push(Place::new(draw_uniform(n), 1, "number of the draw"));
    if compute {
        list.push(Place::new(6 * n + 5, 3, "padding"));
        list.push(Place::new(6 * n + 8, 4, "address of what input assembly needs"));
    }
    list
}

/// The half of the draw's number.
pub(super) const fn draw_uniform(n: usize) -> usize {
    6 * n + 4
}

/// The number of uniforms that a vertex program's driver reserves: `6n + 5`, or `6n + 12` if it runs as compute.
pub const fn vertex_uniform_count(n: usize, compute: bool) -> usize {
    6 * n + if compute { 12 } else { 5 }
}

/// The most attributes for which a vertex program's driver finds room in so many reserved uniforms. Drivers that never
/// pass the number of the draw leave it out.
pub(super) const fn attributes_with_room(reserved: usize, compute: bool) -> usize {
    let others = if compute { vertex_uniform_count(0, true) } else { draw_uniform(0) };
    reserved.saturating_sub(others) / 6
}

/// The input registers of a fragment program's main part with per-sample shading; otherwise there are none.
pub fn sample_registers() -> Vec<Place> {
    Vec::from([Place::new(0, 1, "nesting counter, 0"), Place::new(2, 1, "mask of the sample that is shaded")])
}

/// The registers that a fragment program's main part passes to the epilog.
pub fn fragment_registers() -> Vec<Place> {
    let mut list = Vec::from([
        Place::new(4, 2, "depth"),
        Place::new(6, 1, "stencil"),
        Place::new(7, 1, "samples that the program lets through"),
        Place::new(8, 8, "colour 0"),
        Place::new(16, 8, "colour 1, or the second source of blending"),
    ]);
    list.extend((2..TARGETS).map(|i| Place::new(8 + 8 * i, 8, format!("colour {i}"))));
    list
}

/// The uniforms that a fragment program's driver reserves.
pub fn fragment_uniforms() -> Vec<Place> {
    Vec::from([
        Place::new(0, 4, "heap of render targets as textures"),
        Place::new(4, 2, "red of the blend constant"),
        Place::new(6, 2, "green of the blend constant"),
        Place::new(8, 2, "blue of the blend constant"),
        Place::new(10, 2, "alpha of the blend constant"),
        Place::new(12, 4, "root descriptor"),
    ])
}

/// The registers that a part may receive as inputs.
pub(super) fn inputs(part: &Part, role: Role) -> Registers {
    let sample = if part.meta.key.inside_sample_loop { COUNTER.or(SAMPLE) } else { Registers::EMPTY };
    match (part.meta.stage, role) {
        (Stage::Vertex, Role::Prolog) => NUMBERS,
        (Stage::Vertex, Role::Main) => NUMBERS.or(ALL_ATTRIBUTES),
        (Stage::Compute, Role::Main) if vertex_as_compute(part) => RAW_VERTEX.or(NUMBERS).or(ALL_ATTRIBUTES),
        (Stage::Fragment, Role::Main) => sample,
        (Stage::Fragment, Role::Epilog) => sample.or(PASSED),
        _ => Registers::EMPTY,
    }
}

/// The registers that a part may read without writing them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Those that it receives as inputs.
    pub(super) inputs: Registers,
    /// Those that a shader may leave undefined: reading them is a note.
    pub(super) partial: Registers,
}

impl Found {
    /// The registers that a part finds.
    pub(super) fn by(part: &Part, role: Role) -> Found {
        Found { inputs: inputs(part, role), partial: Registers::EMPTY }
    }
}

/// Whether this is a vertex shader that runs as compute: the driver chooses its workgroups.
pub(super) fn vertex_as_compute(part: &Part) -> bool {
    part.meta.stage == Stage::Compute && part.meta.workgroup_size == [0; 3]
}

/// The part ABI for the reference: headings with lines.
pub fn describe() -> Vec<(&'static str, Vec<String>)> {
    let registers = |list: Vec<Place>| -> Vec<String> {
        list.iter().map(|p| format!("{}: {}", p.registers().names('r'), p.what)).collect()
    };
    let uniforms = |list: Vec<Place>| -> Vec<String> {
        list.iter().map(|p| format!("{}: {}", p.uniforms().names('u'), p.what)).collect()
    };
    Vec::from([
        (
            "Vertex: prolog to main part, two attributes; r4 only as compute",
            registers(vertex_registers(2, true)),
        ),
        ("Vertex: uniforms, two attributes, as compute", uniforms(vertex_uniforms(2, true))),
        ("Fragment: main part, samples shaded one by one", registers(sample_registers())),
        ("Fragment: main part to epilog", registers(fragment_registers())),
        ("Fragment: uniforms", uniforms(fragment_uniforms())),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_have_no_gaps_and_no_overlaps() {
        for (n, compute) in [(0, false), (0, true), (3, false), (16, true)] {
            let places = vertex_uniforms(n, compute);
            let end = places.iter().fold(0, |at, p| {
                assert_eq!(p.first, at, "{}", p.what);
                at + p.halves
            });
            assert_eq!(end, vertex_uniform_count(n, compute));
        }
        let end = fragment_uniforms().iter().fold(0, |at, p| {
            assert_eq!(p.first, at);
            at + p.halves
        });
        assert_eq!(end, FRAGMENT_UNIFORMS);
        let attributes = vertex_registers(40, true);
        assert_eq!(
            attributes.last().map(|p| (p.what.as_str(), p.first + p.halves)),
            Some(("attribute 29", 256))
        );
    }
}
