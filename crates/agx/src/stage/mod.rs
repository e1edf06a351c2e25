//! Programs as translators take them: one function of a thread, with the numbers of a thread that languages know.

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

use crate::registers::{STAGED_FILES, THREAD_INDEX, WORD_FILES};
use crate::sample_loop::SampleLoop;
use crate::{Program, Sequencer};
use alloc::{vec, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Addresses, Builder, Func, Interface, Op, Space, Stage, Tree, Type, Value, Workgroup};

/// A program and what surrounds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// The code: first what writes uniforms, up to [`Staged::preamble`], then the program itself.
    pub program: Program,
    /// Bytes of the code that run before. The hardware runs them once; here every thread does, as part of the program.
    pub preamble: usize,
    /// Constants that are uniforms: the first half of the uniforms, and their bytes.
    pub constants: (u16, Vec<u8>),
    /// Bytes that a workgroup shares.
    pub shared: u32,
    /// Bytes of a thread's stack.
    pub stack: u32,
    /// Samples of a pixel: 1, 2 or 4.
    pub samples: u16,
}

/// What translators take, and warnings.
pub type Lowered = (Func, Tree, Interface, Vec<Diagnostic>);

impl Staged {
    /// Lifts the program and brings it to the form that translators take. Memory is reached by the low 32 bits of
    /// addresses: what a program touches lies in one stretch of 4 GiB, and the buffer bound as memory begins there.
    ///
    /// Grids have whole workgroups; all threads of a workgroup run. Targets that are drawn to have one layer. Where pixels
    /// have several samples the program runs for each by itself, unless it does the same for all: of a loop that shades
    /// them one by one each runs its own iteration, and what it stores to memory it stores as often. Each offset in the tile
    /// that a program stores to is an output, in the order of their offsets; what it reads there, or keeps of some pixels,
    /// is the texel of the pixel in a texture (`tile0` for the first output) that holds what was drawn before. A block of
    /// the tile that it writes to an image is a texel of each pixel.
    ///
    /// Textures and samplers that the program loads into state registers are those of their addresses, as if it named these
    /// where it uses them.
    ///
    /// Which pixels or vertices run together other languages do not say: where lanes exchange values each is a wave of its
    /// own, and a warning says so (`translate-lanes`).
    ///
    /// # Errors
    /// All instructions that cannot be lifted; `translate-special` for special registers that no language knows,
    /// `translate-tile` for what none does where it draws, `translate-lanes` for exchange among the pixels of a quad,
    /// `translate-sample` for what belongs to other samples of a pixel, `translate-bindless` and `translate-texture` for
    /// textures whose use none can say, `translate-stage` for instructions of another stage; what the passes refuse.
    pub fn lower(&self, limits: &Limits) -> Result<Lowered, Vec<Diagnostic>> {
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
        let mut func = shisa_ir::recover(&lifted, &Sequencer, 0, limits).map_err(one)?;
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
        shisa_ir::simplify(&mut func, limits).map_err(one)?;
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
            shisa_ir::simplify(&mut func, limits).map_err(one)?;
        }
        let mut shared = self.all_shared().map_err(one)?;
        if self.program.stage == Stage::Compute {
            let lanes = self.program.workgroup.iter().fold(1, |n: u32, d| n.saturating_mul(*d));
            let workgroup = Workgroup { index: THREAD_INDEX, lanes, shared };
            shared = shisa_ir::exchange(&mut func, workgroup).map_err(one)?;
        }
        let textures = textures::resolve(&mut func)?;
        shisa_ir::narrow(&mut func, WORD_FILES, Addresses::Window).map_err(one)?;
        let tree = shisa_ir::structurise(&mut func, limits).map_err(one)?;
        let interface = self.interface(&func, shared, textures, &placed);
        Ok((func, tree, interface, warnings))
    }

    /// Bytes that a workgroup shares, with those of its tile.
    fn all_shared(&self) -> Result<u32, Diagnostic> {
        match self.program.imageblock.and_then(|tile| tile.memory(&self.program.code)) {
            None => Ok(self.shared),
            Some(bytes) if self.shared == 0 => Ok(bytes),
            Some(_) => {
                let text = "a workgroup has a tile and other memory, and how both lie in one is not known";
                Err(Diagnostic::error("translate-tile", text))
            }
        }
    }

    /// The stage that code is for, by what it does.
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

/// Lets the operations that `build` makes run before all others of the function.
fn first(func: &mut Func, build: impl FnOnce(&mut Builder<'_>)) {
    let start = func.nodes.list.len() as u32;
    build(&mut Builder::new(&mut func.nodes, 0));
    let made = (start..func.nodes.list.len() as u32).map(Value);
    if let Some(entry) = func.blocks.first_mut() {
        entry.body.splice(0..0, made);
    }
}
