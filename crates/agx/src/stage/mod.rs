//! Programs in the form that translators read: one function of a thread, with the thread numbers that languages know.

mod blocks;
mod drawing;
mod interface;
mod io;
mod lanes;
mod pixels;
mod pushed;
mod samples;
mod specials;
mod states;
mod textures;
mod tile;
mod vertices;

#[cfg(test)]
mod tests;

pub use pixels::coefficients;
pub use tile::{TileColor, tile_colors};

use crate::registers::{STAGED_FILES, THREAD_INDEX, WORD_FILES};
use crate::sample_loop::SampleLoop;
use crate::{Program, Sequencer};
use alloc::{vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{
    Addresses, Builder, Func, Interface, Natives, Op, Scratch, Space, Stage, Tree, Type, Value, WAVE,
    Workgroup,
};

/// More bytes than addresses of the stack or of shared memory reach; larger sizes are refused at any limit.
const MOST_MEMORY: u64 = 1 << 30;

/// A program and its environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// The code: first the preamble, up to [`Staged::preamble`], then the program itself.
    pub program: Program,
    /// Size of the preamble in bytes. The hardware runs it once; here every thread does, as part of the program.
    pub preamble: usize,
    /// Constants that are uniforms: the first half of the uniforms, and their bytes.
    pub constants: (u16, Vec<u8>),
    /// Bytes that a workgroup shares.
    pub shared: u32,
    /// Bytes of a thread's stack.
    pub stack: u32,
    /// Samples of a pixel: 1, 2 or 4.
    pub samples: u16,
    /// Whether the target runs each wave as a subgroup ([`Workgroup::subgroups`]).
    pub subgroups: bool,
    /// The kinds that the target has, whose operations stay.
    pub natives: Natives,
}

/// The input of translators, and warnings.
pub type Lowered = (Func, Tree, Interface, Vec<Diagnostic>);

impl Staged {
    /// Lifts the program and converts it to the form that translators take. Memory is addressed by the low 32 bits of
    /// addresses: everything that a program accesses lies in one range of 4 GiB, and the buffer bound as memory
    /// begins there.
    ///
    /// Grids consist of whole workgroups, and all threads of a workgroup run. Render targets have one layer. If
    /// pixels have several samples, the program runs once for each sample, unless it does the same for all of them.
    /// If a loop in it shades the samples one by one, each run executes only its own sample's iteration, and what the
    /// program stores to memory is stored once per sample. Each tile offset that a program stores to is an output;
    /// outputs are in the order of their offsets. What the program reads from the tile, or preserves for some pixels,
    /// is the pixel's texel in a texture that holds the earlier contents of the target (`tile0` for the first
    /// output). A block of the tile that the program writes to an image is one texel per pixel.
    ///
    /// Textures and samplers that the program loads into state registers are those of their addresses, as if the
    /// program named them where it uses them.
    ///
    /// Other languages do not specify which pixels or vertices run together. If lanes exchange values, each lane is
    /// therefore a wave of its own, and a warning says so (`translate-lanes`).
    ///
    /// # Errors
    /// All instructions that cannot be lifted; `translate-special` for special registers that no target language has;
    /// `translate-tile` for operations on the tile that no target language has; `translate-lanes` for exchange
    /// between the pixels of a quad; `translate-sample` for operations on other samples of a pixel;
    /// `translate-bindless` and `translate-texture` for uses of textures that no target language can express;
    /// `translate-stage` for instructions of another stage; and the errors of the passes.
    pub fn lower(&self, limits: &Limits) -> Result<Lowered, Vec<Diagnostic>> {
        self.lower_in(&mut Scratch::new(), limits)
    }

    /// As [`Staged::lower`], in the memory of programs before it.
    ///
    /// # Errors
    /// The errors of [`Staged::lower`].
    pub fn lower_in(&self, scratch: &mut Scratch, limits: &Limits) -> Result<Lowered, Vec<Diagnostic>> {
        self.bounded(limits).map_err(|d| vec![d])?;
        drawing::belongs(&self.program.code, self.program.stage)?;
        lanes::no_quads(&self.program)?;
        let fragment = self.program.stage == Stage::Fragment;
        let samples = if fragment { self.samples } else { 1 };
        let mut lifted = crate::lift::lift_for(&self.program, fragment.then_some(samples))?;
        lifted.files = STAGED_FILES;
        let copied = pushed::within(self, &mut lifted);
        let sample_loop = SampleLoop::of(&self.program.code).filter(|_| fragment);
        if let Some(sample_loop) = sample_loop {
            samples::one_iteration(&mut lifted, sample_loop);
        }
        let one = |d| vec![d];
        let mut func = shisa_ir::recover_in(lifted, &Sequencer, 0, scratch, limits).map_err(one)?;
        pushed::begin(self, &mut func, copied);
        match self.program.stage {
            Stage::Vertex => vertices::begin(&mut func),
            Stage::Fragment => {
                let blocks = blocks::place(&mut func, &self.program.code, limits)?;
                let tile = tile::of(&self.program.code, &blocks)?;
                tile::bring(&mut func, &tile, samples);
                pixels::keep_depth(&mut func);
                tile::end(&mut func, &tile);
            }
            _ => {}
        }
        if let Some(sample_loop) = sample_loop {
            samples::number(&mut func, samples, sample_loop.samples);
        }
        let mut warnings = Vec::new();
        if self.program.stage != Stage::Compute {
            warnings.extend(lanes::alone(&mut func, self.program.stage));
        }
        specials::resolve(&mut func, &self.program, samples)?;
        self.place_stack(&mut func);
        shisa_ir::simplify_in(&mut func, scratch, limits).map_err(one)?;
        samples::settle(&mut func, samples)?;
        let mut placed = Vec::new();
        let loads = states::load(&mut func);
        let changed = match self.program.stage {
            Stage::Vertex => {
                placed = vertices::place_outputs(&mut func);
                !placed.is_empty()
            }
            Stage::Fragment => pixels::planes(&mut func),
            _ => false,
        };
        if changed || loads {
            shisa_ir::simplify_in(&mut func, scratch, limits).map_err(one)?;
        }
        let mut shared = self.all_shared().map_err(one)?;
        if self.program.stage == Stage::Compute {
            let lanes = self.program.workgroup.iter().fold(1, |n: u32, d| n.saturating_mul(*d));
            let workgroup = Workgroup { index: THREAD_INDEX, lanes, shared, subgroups: self.subgroups };
            shisa_ir::flatten(&mut func, lanes > WAVE as u32 && !workgroup.is_native());
            shared = shisa_ir::exchange(&mut func, workgroup).map_err(one)?;
        }
        let textures = textures::resolve(&mut func)?;
        shisa_ir::narrow_in(&mut func, WORD_FILES, Addresses::Window, self.natives, scratch).map_err(one)?;
        let tree = shisa_ir::structurise_in(&mut func, scratch, limits).map_err(one)?;
        let interface = self.interface(&func, shared, textures, &placed);
        Ok((func, tree, interface, warnings))
    }

    /// Compares the memory that the metadata state with [`Limits::memory`].
    fn bounded(&self, limits: &Limits) -> Result<(), Diagnostic> {
        let memory = limits.bound(Limit::Memory);
        memory.check_up_to(MOST_MEMORY, "bytes of a thread's stack", self.stack)?;
        memory.check_up_to(MOST_MEMORY, "bytes of a workgroup's memory", self.shared)
    }

    /// Bytes that a workgroup shares, including those of its tile.
    fn all_shared(&self) -> Result<u32, Diagnostic> {
        match self.program.imageblock.and_then(|tile| tile.memory(&self.program.code)) {
            None => Ok(self.shared),
            Some(bytes) if self.shared == 0 => Ok(bytes),
            Some(_) => {
                let text =
                    "a workgroup has a tile and other memory, and how they share one memory is not known";
                Err(Diagnostic::error("translate-tile", text))
            }
        }
    }

    /// The stage that code is for, determined from its instructions.
    pub fn stage_of(code: &[u8]) -> Stage {
        drawing::stage(code)
    }

    /// The stack grows downwards from address 0; its memory begins there.
    fn place_stack(&self, func: &mut Func) {
        let stack = u64::from(self.stack.next_multiple_of(4));
        func.rewrite(|b, v| {
            if let Op::Load { space: Space::Local, address }
            | Op::Store { space: Space::Local, address, .. } = b.nodes.op(v)
            {
                let size = b.constant(Type::I32, stack);
                let placed = b.iadd(address, size);
                if let Op::Load { address, .. } | Op::Store { address, .. } = &mut b.nodes.list[v.index()].op
                {
                    *address = placed;
                }
            }
            None
        });
    }
}

/// Runs the operations that `build` makes before all others of the function.
fn first(func: &mut Func, build: impl FnOnce(&mut Builder<'_>)) {
    let start = func.nodes.list.len() as u32;
    build(&mut Builder::new(&mut func.nodes, 0));
    let made = (start..func.nodes.list.len() as u32).map(Value);
    if let Some(entry) = func.blocks.first_mut() {
        entry.body.splice(0..0, made);
    }
}
