//! The batch engine: a shader is compiled once and runs over many lanes with the vector units of the host.
//!
//! # Concepts
//!
//! A [`Program`] is made from a [`shisa_ir::Func`] whose registers are values, and its statement tree. Vectors are split
//! into *components* of up to 32 bits, and components that no output needs are dropped. What remains is a list of
//! instructions for each block.
//!
//! A *chunk* is 16 lanes of one component, one AVX-512 register. A *slab* is up to eight chunks: the 128 lanes that run
//! together. A component that has the same value in all lanes is *uniform*: it is one chunk with 16 equal lanes,
//! computed once a call. An operand is the number of its first chunk and a step, 1 for slabs and 0
//! for uniforms, so instructions need no variants for the two.
//!
//! Control flow uses sets of lanes. Each block has the set of lanes that wait for it; the first block, in the order of
//! the statement tree, whose set is not empty runs next. Loops are contiguous in this order, so lanes that leave a loop
//! wait until all others have left it, and lanes that took different sides of a branch meet after it. All lanes of the slab
//! compute; a set only decides who keeps the results. A block outside of loops runs at most once for each slab, so only
//! values of loops and parameters of blocks are written under a mask.
//!
//! A [`Runner`] holds the memory of a run: slabs, uniforms, sets. The caller owns attributes and results, which are
//! interleaved or separate arrays ([`Attribute`], [`Outputs`]).
//!
//! # Results
//!
//! Results equal those of [`shisa_ir::scalar`], bit for bit: the functions of a kernel are those of
//! [`shisa_ir::scalar::word`], those of float24 are tested against the model, and an operation without a kernel runs
//! lane by lane through the scalar definition.
//!
//! With [`Precision::Fast`] results may have small errors: products join sums without a rounding of their own, and
//! elementary functions are short series (`fast.rs`, `jit/fast.rs`). The type states the bounds.
//!
//! # Machine code
//!
//! With the feature `jit`, [`Program::add_machine_code`] makes instructions of x86-64 with AVX-512 or AVX2 of a compiled program:
//! components live in vector registers, and attributes and results go from and to the caller's arrays without a detour. Of a
//! program that uses textures or memory, or whose lanes see each other, the pieces between are machine code.
//! Runners use the code at once. It computes most results exactly, notices where it may not, and leaves those lanes, in
//! chunks, to the engine without machine code, so that results are the same ([`Runner::left_chunks`] counts them), or within the same bounds. The
//! module `jit` says how it works and why it is safe.
//!
//! ```no_run
//! # fn example(mut program: shisa_exec::Program) {
//! if let Err(reason) = program.add_machine_code(&Default::default()) {
//!     eprintln!("{reason}: the program runs without machine code");
//! }
//! let runner = program.runner();
//! # }
//! ```
//!
//! # Unsafe code
//!
//! The function that runs a slab is safe generic code. For each host level it is compiled once more, as a function with
//! `#[target_feature]`, and calling such a function is unsafe: the processor must have the features. `code.rs` makes these
//! calls for a `Code`, which exists only after the processor reported the features. `host.rs` calls one function that
//! needs SSE2, under a condition of the build. `jit/executable.rs` calls machine code, and `jit/whole.rs` and
//! `jit/pieces/run.rs` give it pointers, which `jit/context.rs` lets other threads have. No other file has unsafe code: memory is
//! indexed with checks.
//!
//! # What it takes
//!
//! Arithmetic, control flow, indexed uniforms, outputs, emitted vertices, textures, memory, operations between lanes,
//! barriers, and derivatives. 64-bit integers, 16-bit values and registers of 16-bit units become words before
//! ([`shisa_ir::narrow`]); doubles are computed lane by lane. Atomic operations on texels, outputs and temporaries with
//! computed indices, and vectors of doubles are refused with `exec-unsupported`, so that a caller can fall back to the
//! evaluator.
//!
//! # Memory
//!
//! An [`Environment`] provides textures and memory: an instruction calls it once for every 32 lanes, a wave
//! ([`Runner::run_with`]). A load from constant memory at a fixed address runs once a call. A program that changes memory,
//! or waits at barriers, has slabs of one wave, so that waves see each other's stores in the order of the evaluator.
//! Within a wave the lanes access memory in ascending order, instruction by instruction. Lanes that took different
//! branches access it in the order of the statement tree, which may not be that of the evaluator: only a program whose
//! lanes race with each other can see that.
//!
//! A [`WaveRunner`] runs a single wave up to its next barrier. Who runs the waves of a workgroup decides which continues.
//!
//! An operation between lanes, or a barrier, needs all lanes of the wave that have not ended, or the run ends with
//! `exec-divergent`: where only some come to it, the result depends on where the instruction set brings lanes together.
//! An access whose result nothing uses does not run, so an address that it would have refused is not reported.
//!
//! # Quads
//!
//! With [`Runner::set_quads`] lanes 4k to 4k + 3 are a quad, as in a wave of the evaluator; without, lanes have no
//! neighbours and derivatives are zero. A derivative, or a level of detail that a texture read computes, needs all lanes of
//! a quad. In the evaluator a lane that does not run contributes what its registers hold, which is what it wrote last.
//! The batch engine has no registers, so a run ends with `exec-divergent` where only some lanes of a quad run, and
//! a caller can let the evaluator run the lanes. That cannot be decided when a program is compiled: it depends on the
//! lanes. Lanes of a quad that took different branches count as apart from then on, because loops and calls may bring them
//! together earlier or later than in the evaluator; but if a wave runs every step at most once
//! ([`shisa_ir::Sequencer::runs_steps_once`]), they are together again in the next block that all of them reach.

mod access;
mod code;
mod codes;
mod coding;
mod compile;
mod environment;
mod fast;
mod float24;
mod floats;
mod host;
mod instruction;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
mod jit;
mod kernel;
mod memory;
#[cfg(test)]
mod memory_tests;
mod parts;
mod perform;
mod plan;
#[cfg(test)]
mod plan_tests;
mod program;
mod quads;
mod run;
mod runner;
mod series;
mod task;
mod transfer;
mod waves;
mod working;

pub use codes::CODES;
pub use coding::Coding;
pub use compile::Start;
pub use environment::{Emitting, Environment, MemoryAccess, Sample, Wave};
pub use floats::{Floats, Precision};
pub use host::HostLevel;
pub use program::Program;
pub use runner::Runner;
pub use transfer::{Attribute, Outputs, Slot};
pub use waves::{Arrival, Stop, WaveRunner};
