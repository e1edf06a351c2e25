//! PICA200's sets.

pub(crate) mod hw;
pub(crate) mod run;
