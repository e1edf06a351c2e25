//! Sets of AGAL.

pub(crate) mod errors;
pub(crate) mod run;
pub(crate) mod text;
