//! Programs as text: listings, and the assembler that reads them.
//!
//! # The language
//!
//! Instructions have nvdisasm's syntax, up to the `;`. The control bits follow,
//! `{wait:read:write:yield:stall}` ([`crate::Schedule`]), and `{raw 0x…}` where assembling the text would
//! give a different word. `.word 0x…` is a word that is not an instruction. Three instructions make a bundle;
//! the assembler makes the control words and pads the last bundle with `NOP`.
//!
//! A line may begin with labels, which branches name in place of addresses. `name:` is the address of the
//! instruction. `name::` is the address of the bundle that begins here, which is that of its control word; where
//! no bundle begins, it is the address of the instruction. Comments are `// …` and `/* … */`. Directives:
//!
//! | | |
//! |---|---|
//! | `.chip sm_53` | the chip |
//! | `.code "name"` | begins a program: its addresses count from 0, its labels are its own |
//! | `.word 0x…` | an instruction word as it is |
//! | `.targets a, b` | where the branch by a register after it may go, for `--schedule`; it gives no bytes |
//! | `.spare` | sets the highest bit of the next bundle's control word, which has no meaning |
//! | `.sph ShaderType VS` | a field of the Shader Program Header that begins here; the others are zero |
//! | `.bytes 00ff…` | bytes between programs; ends a program |
//! | `.zero 64` | zeros between programs |

mod assemble;
mod editing;
mod layout;
mod listing;
mod numbered;
mod nvdisasm;
#[cfg(test)]
mod tests;

pub use assemble::{AsmOptions, Assembly, assemble};
pub use editing::editing;
pub use layout::{Layout, Section};
pub use listing::{DisOptions, LISTING, disassemble};
pub use nvdisasm::{NvdisasmOptions, nvdisasm, nvdisasm_cubin};
pub use shisa_rows::source::InsnLine;
