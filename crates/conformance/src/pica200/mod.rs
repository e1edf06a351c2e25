//! Sets of PICA200.

pub(crate) mod binaries;
pub(crate) mod hw;
pub(crate) mod picasso;
pub(crate) mod run;
pub(crate) mod shbin;
