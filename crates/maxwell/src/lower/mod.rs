//! Programs in the form that translators read: one function of a thread, with the inputs and outputs that languages know.

mod attributes;
mod banks;
mod barriers;
mod fast;
mod interface;
mod local;
mod patch;
mod pixels;
mod purpose;
mod quads;
mod specials;
mod stages;
mod strips;
mod targets;
mod texels;
mod textures;
mod vertices;

#[cfg(test)]
mod coverage_tests;
#[cfg(test)]
mod purpose_tests;

use crate::flow::Targets;
use crate::launch::Launch;
use crate::lift::lift_in;
use crate::registers::special::LANE_ID;
use crate::{COMPONENTS, Drawing, FILES, MOST_VERTICES, Program, SPECIALS, Sequencer, ShaderStage, bundle};
use alloc::{collections::BTreeMap, format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{
    Addresses, Division, File, FileId, FileKind, Func, Interface, Natives, Reg, Scalar, Scratch, Shape,
    Stage, Tree, WAVE, Workgroup, alone, drop_unemitted, exchange, flatten, fold_and_share, imply,
    loop_atomics, narrow_in, recover_in, remove_dead, remove_dead_in, simplify_knowing, structurise_in,
    trace_buffers,
};
use vertices::Vertices;

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 1, units: 1, scalar: Scalar::I32 }
}

/// The register files of a lowered program: those of the lift, and those of [`INDEX`], [`RESULT`] and [`VERTICES`].
const LOWERED: &[File] = &{
    let mut all = [file("INDEX", FileKind::Input); FILES.len() + 3];
    let mut i = 0;
    while i < FILES.len() {
        all[i] = FILES[i];
        i += 1;
    }
    all[i + 1] = file("RESULT", FileKind::Temp);
    // Each attribute of a vertex has a register, and there are fewer than a quarter as many as components.
    let units = MOST_VERTICES * COMPONENTS;
    let scalar = Scalar::F32;
    all[i + 2] = File { units_per_register: 4, units, scalar, ..file("VERTICES", FileKind::Uniform) };
    all
};

/// The thread's number in its workgroup, which no special register holds; 32 consecutive numbers are a warp.
const INDEX: Reg = Reg::new(FileId(FILES.len() as u8), 0);
/// The number of the lane in its warp.
const LANE: Reg = Reg::new(SPECIALS, LANE_ID);
/// The result of the latest barrier that has one.
const RESULT: Reg = Reg::new(FileId(FILES.len() as u8 + 1), 0);
/// The attributes of the vertices of a primitive.
const VERTICES: FileId = FileId(FILES.len() as u8 + 2);

/// A program and its environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// The program, with the size of its workgroup.
    pub program: Program,
    /// Contents of constant banks that the container states. What the program reads of them at constant offsets becomes
    /// part of its code.
    pub constants: BTreeMap<u8, Vec<u8>>,
    /// Words of constant banks that the launch determines, by bank and offset. They become part of the code, too.
    pub known: BTreeMap<(u8, u32), u32>,
    /// Targets of branches through a register, as far as the container states them.
    pub targets: Targets,
    /// The first number of a texture's handle in the bank of handles. Numbers from it on become texture units from 0 on.
    pub handles: u16,
    /// What the host knows of textures, by the number of their handle.
    pub textures: BTreeMap<u16, TextureKind>,
    /// Bytes that a workgroup shares.
    pub shared: u32,
    /// Bytes of a thread's local memory from address 0.
    pub local: u32,
    /// Bytes of a thread's local memory at its upper end.
    pub stack: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Vertices of the input primitive of a geometry program: 1, 2, 3, 4 or 6. With `None`, the smallest of these numbers
    /// with which the program reads no vertex that does not exist.
    pub primitive: Option<u8>,
    /// How patches are divided, for a tessellation evaluation program. With `None`, triangles in equal parts.
    pub division: Option<Division>,
    /// Whether the target runs each warp as a subgroup ([`Workgroup::subgroups`]).
    pub subgroups: bool,
    /// The kinds that the target has, whose operations stay.
    pub natives: Natives,
}

/// What a host knows of a texture, and instructions do not state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureKind {
    /// The shape, which instructions that only read the size do not have.
    pub shape: Shape,
    /// Whether texels are integers.
    pub integers: bool,
}

/// The input of translators, and warnings.
pub type Lowered = (Func, Tree, Interface, Vec<Diagnostic>);

impl Staged {
    /// A program whose container states nothing else.
    pub fn new(program: Program) -> Staged {
        Staged {
            program,
            constants: BTreeMap::new(),
            known: BTreeMap::new(),
            targets: Targets::new(),
            handles: 0,
            textures: BTreeMap::new(),
            shared: 0,
            local: 0,
            stack: 0,
            registers: 0,
            primitive: None,
            division: None,
            subgroups: false,
            natives: Natives::default(),
        }
    }

    /// Lifts the program and converts it to the form that translators take.
    ///
    /// Grids consist of whole workgroups, and all threads of a workgroup run. Accesses of global memory through a pointer
    /// at a fixed offset of a constant bank are accesses of a buffer that the host binds ([`shisa_ir::trace_buffers`]).
    /// Other accesses are addressed by the low 32 bits of addresses, within one range of 4 GiB, and the buffer bound as
    /// memory begins there; a warning lists them (`translate-window`).
    ///
    /// Generic attributes have the locations of their numbers, after them colours from 32 on, texture coordinates from 36 on
    /// and fog at 46. Attributes are floats, but for those that a vertex program uses as integers only. A pixel program
    /// reads attributes themselves where the hardware yields them divided by w. Each vertex and each pixel is a warp of
    /// its own (`translate-lanes`), and a pixel has one sample (`translate-samples`).
    ///
    /// A geometry program must pass on the state of emission as the hardware demands, which other languages do not have
    /// (`translate-emission`). Nothing in the program states its input primitive (`translate-primitive`). A fast one
    /// outputs each vertex of the input primitive, with what it stores in place of the vertex's own; without a stated
    /// primitive that is a triangle.
    ///
    /// The runs of a tessellation control program for a patch are lanes from 0 on; a run that loads outputs of another one
    /// waits for all runs before. Nothing in an evaluation program states how patches are divided (`translate-division`).
    ///
    /// # Errors
    /// All instructions that cannot be lifted; `translate-special` for special registers that no target language has;
    /// `translate-bindless` and `translate-texture` for uses of textures that no target language can express;
    /// `translate-stage` for stages that are not translated, and for barriers and memory of a workgroup in a graphics
    /// program; and the errors of the passes.
    pub fn lower(&self, limits: &Limits) -> Result<Lowered, Vec<Diagnostic>> {
        self.lower_in(&mut Scratch::new(), limits)
    }

    /// As [`Staged::lower`], in the memory of programs before it.
    ///
    /// # Errors
    /// The errors of [`Staged::lower`].
    pub fn lower_in(&self, scratch: &mut Scratch, limits: &Limits) -> Result<Lowered, Vec<Diagnostic>> {
        let one = |d| vec![d];
        let drawing = self.drawing()?;
        let drawing = drawing.as_ref();
        self.bounded(limits).map_err(one)?;
        let mut lifted = match drawing {
            Some(drawing) => {
                let program = Program { drawing: Some(*drawing), ..self.program.clone() };
                lift_in(&program, scratch)?
            }
            None => lift_in(&self.program, scratch)?,
        };
        lifted.files = LOWERED;
        targets::find(&mut lifted, self);
        let mut func = recover_in(lifted, &Sequencer, bundle::address(0), scratch, limits).map_err(one)?;
        specials::resolve(&mut func, &self.launch(), drawing, self.primitive)?;
        stages::refuse(&func, &self.program.code, drawing)?;
        match drawing {
            Some(drawing) => attributes::choose(&mut func, drawing),
            None => barriers::resolve(&mut func),
        }
        if let Some(drawing) = drawing.filter(|drawing| drawing.is_fast()) {
            fast::pass_vertices(&mut func, drawing, self.primitive)?;
        }
        let control = self.program.stage == Stage::TessellationControl;
        if control {
            patch::share_outputs(&mut func)?;
        }
        let known = |bank, offset, ty| banks::known(self, bank, offset, ty);
        simplify_knowing(&mut func, &known, scratch, limits).map_err(one)?;
        if control {
            patch::only_existing(&mut func);
        }
        if self.program.stage == Stage::Geometry {
            drop_unemitted(&mut func);
        }
        let mut changed = imply(&mut func) || !func.nodes.textures.is_empty();
        let mut warnings: Vec<Diagnostic> = banks::choose(&mut func).into_iter().collect();
        changed |= !warnings.is_empty();
        let mut vertices = Vertices::default();
        if let Some(drawing) = drawing {
            vertices = self.settle(&mut func, drawing, &mut warnings);
        }
        local::place(&mut func, &self.launch());
        let traced = trace_buffers(&mut func);
        loop_atomics(&mut func);
        texels::adapt(&mut func);
        if changed {
            remove_dead_in(&mut func, scratch);
        }
        let mut shared = 0;
        if drawing.is_none() {
            let lanes = self.program.workgroup.iter().fold(1, |n: u32, d| n.saturating_mul(*d));
            barriers::whole(&mut func, lanes);
            let workgroup = Workgroup { index: INDEX, lanes, shared: self.shared, subgroups: self.subgroups };
            flatten(&mut func, lanes > WAVE as u32 && !workgroup.is_native());
            shared = exchange(&mut func, workgroup).map_err(one)?;
        }
        let textures = textures::resolve(&mut func, self)?;
        narrow_in(&mut func, LOWERED, Addresses::Window, self.natives, scratch).map_err(one)?;
        let tree = structurise_in(&mut func, scratch, limits).map_err(one)?;
        let mut interface = self.interface(&func, shared, textures, &traced.pointers, vertices);
        if control {
            patch::drop_barriers(&mut func);
            (interface.vertex_outputs, interface.patch_outputs) = patch::outputs(&func)?;
            interface.shared = patch::SHARED;
        }
        warnings.extend(untraced(&traced.others));
        Ok((func, tree, interface, warnings))
    }

    /// The drawing context of a graphics program; `None` for a compute program.
    ///
    /// # Errors
    /// `translate-stage` for stages that are not translated, and those of [`strips::orderly`].
    fn drawing(&self) -> Result<Option<Drawing>, Vec<Diagnostic>> {
        let refused = |name: &str| {
            let text = format!("a {name} program without its stage is not translated");
            Err(vec![Diagnostic::error("translate-stage", text)])
        };
        match (self.program.stage, &self.program.drawing) {
            (Stage::Compute, _) => Ok(None),
            (_, Some(drawing)) => match drawing.stage {
                ShaderStage::Geometry => strips::orderly(&self.program.code, drawing).map(Some),
                ShaderStage::Compute => refused(drawing.stage.name()),
                _ => Ok(Some(*drawing)),
            },
            (stage, None) => refused(stage.name()),
        }
    }

    /// Replaces what languages have in another form: exchange among lanes, samples, attributes divided by w.
    fn settle(&self, func: &mut Func, drawing: &Drawing, warnings: &mut Vec<Diagnostic>) -> Vertices {
        quads::derivatives(func);
        attributes::own_lane(func, LANE);
        remove_dead(func);
        let each = match drawing.stage {
            ShaderStage::Fragment => "pixel",
            ShaderStage::Geometry => "primitive",
            ShaderStage::TessellationControl => "vertex of a patch",
            _ => "vertex",
        };
        let text = format!("lanes exchange values, and each {each} is translated as a warp of its own");
        warnings.extend(alone(func, Some(LANE)).then(|| Diagnostic::warning("translate-lanes", text)));
        warnings.extend(attributes::one_sample(func));
        if drawing.stage == ShaderStage::Fragment {
            pixels::perspective(func);
        }
        let mut vertices = Vertices::default();
        if drawing.stage.reads_vertices() {
            let warning;
            (vertices, warning) = vertices::resolve(func, drawing, self.primitive);
            warnings.extend(warning);
        }
        if drawing.stage == ShaderStage::TessellationEvaluation && self.division.is_none() {
            let text =
                "nothing states how patches are divided: they are triangles, whose edges have equal parts";
            let d = Diagnostic::warning("translate-division", text);
            warnings.push(d.note("the host states the division when it draws; a DKSH states it, too"));
        }
        let inputs = self.inputs(func, drawing);
        attributes::split(func, &inputs);
        fold_and_share(func);
        remove_dead(func);
        if drawing.stage == ShaderStage::Fragment {
            warnings.extend(self.positions().warning());
        }
        vertices
    }

    /// Compares the memory that the container states with [`Limits::memory`].
    fn bounded(&self, limits: &Limits) -> Result<(), Diagnostic> {
        let local = self.launch().local.saturating_add(self.launch().upper_local());
        limits.check(Limit::Memory, "bytes of a thread's local memory", local)?;
        limits.check(Limit::Memory, "bytes of a workgroup's memory", self.shared)
    }

    /// The launch, as far as the container determines it.
    fn launch(&self) -> Launch {
        let block = if self.program.stage == Stage::Compute { self.program.workgroup } else { [1; 3] };
        Launch {
            block,
            grid: [1; 3],
            shared: self.shared,
            local: self.local,
            stack: self.stack,
            registers: self.registers,
            ..Launch::default()
        }
    }
}

/// The warning about accesses that start from no pointer in constant memory.
fn untraced(instructions: &[u32]) -> Vec<Diagnostic> {
    let Some(first) = instructions.first() else { return Vec::new() };
    let text = format!(
        "{} accesses of global memory start from no pointer in constant memory: they address one window of 4 GiB",
        instructions.len()
    );
    vec![Diagnostic::warning("translate-window", text).note(format!("the first is instruction {first}"))]
}
