//! Programs as text: listings, and the assembler that gives their bytes back.
//!
//! # The language
//!
//! Instructions have the syntax of Mesa's disassembler, plus what that omits: `long` or `short` where the length
//! is not the default one. A line may begin with labels, `name:`, which branches name in place of distances.
//! Comments are `// …` and `/* … */`. Directives:
//!
//! | | |
//! |---|---|
//! | `.isa mesa26` | how stores of texture and sampler states are read |
//! | `.code "name"` | code of that name in the file begins here |
//! | `.data "name"` | bytes that are not code begin here |
//! | `.bytes 00ff…` | bytes as they are |
//! | `.zero 64` | zeros |

mod assemble;
mod editing;
mod layout;
mod listing;
#[cfg(test)]
mod tests;
mod words;

pub use assemble::{AsmOptions, Assembly, assemble};
pub use editing::editing;
pub use layout::{Layout, Section};
pub use listing::{DisOptions, LISTING, disassemble, plain};
pub use shisa_rows::source::InsnLine;
pub use words::Words;
