//! Our own SPIR-V writer.

use crate::{Options, Output, Program, SpirvVersion, unsupported};
use shisa_diag::{Diagnostic, Limits};

pub(crate) fn translate(
    _program: &Program,
    _version: SpirvVersion,
    _options: &Options,
    _limits: &Limits,
) -> Result<Output, Vec<Diagnostic>> {
    Err(vec![unsupported("SPIR-V")])
}
