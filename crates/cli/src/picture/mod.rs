//! What the verbs that draw pictures share.

mod inputs;
mod output;
mod png;
mod sixel;
mod terminal;
mod values;

pub(crate) use inputs::Inputs;
pub(crate) use output::PictureOut;
pub(crate) use values::Pixels;
