//! A program in the form that translators read: the container's constants are in place, outputs have their meaning,
//! and vertex slots of geometry programs are registers.

mod emission;
mod meaning;
#[cfg(test)]
mod tests;

pub use meaning::Outputs;

use crate::container::Dvle;
use crate::upload::constants;
use crate::{CONSTANTS, FILES, OUTPUTS, Options, Program, Sequencer, registers};
use alloc::{vec, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{
    Builder, File, FileId, FileKind, Func, Geometry, Interface, Nodes, Op, Scratch, Stage, Tree, Type, Value,
};

/// A uniform register that a container sets: its file, its number, and its value.
type Given = (FileId, u16, [u32; 4]);

/// Attributes of a vertex that reaches a geometry program, if nothing states their number.
const ATTRIBUTES: u8 = 16;

/// The program's outputs: register n is output n of the interface.
const OUT: FileId = FileId(FILES.len() as u8);
/// The three vertex slots: a copy of the outputs each.
const SLOTS: FileId = FileId(FILES.len() as u8 + 1);
/// The arguments of the last `setemit`: the slot, whether a triangle is complete, whether its winding is flipped.
const EMISSION: FileId = FileId(FILES.len() as u8 + 2);

/// The register files of a program whose outputs pass through registers.
const STAGED: [File; FILES.len() + 3] = {
    let mut files = [registers::vectors("out", FileKind::Output, 16); FILES.len() + 3];
    let mut i = 0;
    while i < FILES.len() {
        files[i] = FILES[i];
        i += 1;
    }
    files[OUTPUTS.0 as usize] = registers::vectors("o", FileKind::Temp, 16);
    files[SLOTS.0 as usize] = registers::vectors("slot", FileKind::Temp, 48);
    files[EMISSION.0 as usize] = File { name: "emission", ..FILES[crate::ADDRESS.0 as usize] };
    files
};

/// A program to be translated.
#[derive(Clone, Copy, Debug)]
pub struct Staged<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its tables, if it comes from a container: constants, meanings of outputs, vertex input.
    pub dvle: Option<&'a Dvle>,
    /// The outputs to produce.
    pub outputs: Outputs,
    /// The number of attributes of vertices that reach a geometry program: the outputs of the vertex program before
    /// it.
    pub attributes: Option<u8>,
    /// Choices that no published hardware test settles.
    pub options: &'a Options,
}

impl Staged<'_> {
    /// Lifts the program, recovers its graph, converts registers to values and nests its blocks.
    ///
    /// Floats, integers and booleans that the container states replace reads that name them directly. The floats of a
    /// geometry program whose vertices are passed in constants do not: vertices may overwrite them.
    ///
    /// # Errors
    /// What the lift and the passes refuse.
    pub fn lower(&self, limits: &Limits) -> Result<(Func, Tree, Interface), Vec<Diagnostic>> {
        self.lower_in(&mut Scratch::new(), limits)
    }

    /// As [`Staged::lower`], in the memory of programs before it.
    ///
    /// # Errors
    /// The errors of [`Staged::lower`].
    pub fn lower_in(
        &self,
        scratch: &mut Scratch,
        limits: &Limits,
    ) -> Result<(Func, Tree, Interface), Vec<Diagnostic>> {
        let program = self.program;
        let lifted = crate::lift::lift_in(program, self.options, scratch)?;
        let choice = |d: Diagnostic| match d.code {
            "flow-off-program" => d.help("or state with the option past-end what follows the code"),
            _ => d,
        };
        let mut func = shisa_ir::recover_in(lifted, &Sequencer, program.entry, scratch, limits)
            .map_err(|d| vec![choice(d)])?;
        set_known(&mut func, &self.given());
        let outputs = meaning::outputs(self, &func.nodes);
        func.files = &STAGED;
        match program.stage {
            Stage::Geometry => emission::lower(&mut func, &outputs),
            _ => meaning::write_at_end(&mut func, &outputs),
        }
        shisa_ir::simplify_in(&mut func, scratch, limits).map_err(|d| vec![d])?;
        if program.stage == Stage::Geometry {
            shisa_ir::drop_unemitted(&mut func);
        }
        let tree = shisa_ir::structurise_in(&mut func, scratch, limits).map_err(|d| vec![d])?;
        let mut interface = crate::lift::of_nodes(program.stage, &func.nodes);
        interface.outputs = outputs.into_iter().map(|o| o.io).collect();
        self.complete(&mut interface);
        Ok((func, tree, interface))
    }

    /// Warnings about outputs that a translation does not have: those of type dummy, or all of them.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        meaning::lost(self)
    }

    /// Whether vertices are passed in constants.
    fn vertices_in_constants(&self) -> bool {
        self.program.stage == Stage::Geometry && self.dvle.is_some_and(|d| d.geometry.mode != 0)
    }

    /// The registers that the container sets.
    fn constants(&self) -> impl Iterator<Item = Given> {
        self.dvle.into_iter().flat_map(|d| constants(d, self.options))
    }

    /// The container's constants that nothing overwrites. If one register has several, the last one counts.
    fn given(&self) -> Vec<Given> {
        let kept = |file| file != CONSTANTS || !self.vertices_in_constants();
        self.constants().filter(|c| kept(c.0)).collect()
    }

    /// Adds the facts that the nodes do not state.
    fn complete(&self, interface: &mut Interface) {
        for u in &mut interface.uniforms {
            u.per_lane = u.file == CONSTANTS && self.vertices_in_constants();
            if u.file == CONSTANTS && (u.indirect || u.per_lane) {
                let stated = self.constants().filter(|c| c.0 == CONSTANTS);
                u.given = stated.map(|(_, n, data)| (n, data)).collect();
            }
        }
        if self.program.stage != Stage::Geometry {
            return;
        }
        let mode = self.dvle.map(|d| d.geometry).unwrap_or_default();
        let inputs = interface.inputs.iter().map(|io| io.reg.unit / 4 + 1).max().unwrap_or(0);
        let attributes = self.attributes.unwrap_or(ATTRIBUTES).clamp(1, ATTRIBUTES);
        interface.geometry = Some(match mode.mode {
            0 => Geometry {
                vertices: (inputs as u8).div_ceil(attributes).max(1),
                attributes,
                start: None,
                strips: None,
            },
            1 => Geometry { vertices: 0, attributes, start: Some(0), strips: None },
            _ => Geometry {
                vertices: mode.fixed,
                attributes,
                start: Some(mode.fixed_start.into()),
                strips: None,
            },
        });
    }
}

/// Replaces reads of uniform registers whose values are known.
fn set_known(func: &mut Func, known: &[Given]) {
    if known.is_empty() {
        return;
    }
    let nodes = &mut func.nodes;
    for block in &mut func.blocks {
        if !block.body.iter().any(|v| value(nodes, known, *v).is_some()) {
            continue;
        }
        let mut body = Vec::with_capacity(block.body.len() + 8);
        for &v in &block.body {
            if let Some((ty, bits)) = value(nodes, known, v) {
                let count = usize::from(ty.count.clamp(1, 4));
                let origin = nodes.list[v.index()].origin;
                nodes.list[v.index()].op = if bits[..count].iter().all(|b| *b == bits[0]) {
                    Op::Const(u64::from(bits[0]))
                } else {
                    let mut constant = |i: usize| {
                        let bits = bits[i.min(count - 1)];
                        let part = nodes.push(Op::Const(u64::from(bits)), ty.with_count(1), origin);
                        body.push(part);
                        part
                    };
                    let parts = [constant(0), constant(1), constant(2), constant(3)];
                    Op::Join { parts }
                };
            }
            body.push(v);
        }
        block.body = body;
    }
}

/// The components of a read of a known register, as bits.
fn value(nodes: &Nodes, known: &[Given], v: Value) -> Option<(Type, [u32; 4])> {
    let node = nodes.list.get(v.index())?;
    let Op::Read { reg, swizzle } = node.op else { return None };
    let file = FILES.get(usize::from(reg.file.0)).filter(|file| file.kind == FileKind::Uniform)?;
    // No read reaches past its register.
    let register = reg.unit / u16::from(file.units_per_register);
    let (.., data) = known.iter().rev().find(|(file, n, _)| (*file, *n) == (reg.file, register))?;
    let mut bits = [0; 4];
    for (i, bits) in (0..node.ty.count).zip(&mut bits) {
        let unit = reg.unit + u16::from(swizzle.get(i));
        *bits = data[usize::from(unit % u16::from(file.units_per_register))];
    }
    Some((node.ty, bits))
}

/// Appends operations to a block's body.
fn build<R>(
    nodes: &mut Nodes,
    origin: u32,
    body: &mut Vec<Value>,
    f: impl FnOnce(&mut Builder<'_>) -> R,
) -> R {
    let start = nodes.list.len() as u32;
    let made = f(&mut Builder::new(nodes, origin));
    body.extend((start..nodes.list.len() as u32).map(Value));
    made
}
