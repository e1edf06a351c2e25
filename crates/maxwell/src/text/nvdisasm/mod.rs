//! nvdisasm's output: of code (`nvdisasm -b SM53 [-hex] [-novliw] FILE`), and of cubins with everything in them
//! (`nvdisasm [-hex] [-c] [-ndf] [-novliw] FILE.cubin`).

mod comments;
mod cubin;
mod data;
mod expression;
mod groups;
mod head;
mod info;
mod labels;
mod lines;
mod printed;
mod symbols;
#[cfg(test)]
mod tests;

pub use cubin::nvdisasm_cubin;
pub use lines::nvdisasm;

/// The options passed to nvdisasm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NvdisasmOptions {
    /// `-hex`: the words follow the instructions.
    pub hex: bool,
    /// `-novliw`: instructions that issue together are written alone.
    pub novliw: bool,
    /// `-c`: of a cubin only its code is written.
    pub code_only: bool,
    /// `-ndf`: of a cubin, instructions that go to a mark or to a register are not followed by their targets.
    pub no_dataflow: bool,
}
