//! A build without graphics devices.

use crate::stop::Stop;
use shisa_lockstep::Engine;

/// A graphics device, of which there is none.
pub(crate) enum Graphics {}

/// The reason why there is none.
pub(crate) fn open() -> Result<Graphics, Stop> {
    let text = "this build of the command has no graphics devices, on which wgsl and spirv run: \
                build it with `cargo build --release -p shisa-cli --features device`";
    Err(Stop::Failed(text.into()))
}

impl Graphics {
    pub(crate) fn wgsl(&self) -> Box<dyn Engine + '_> {
        match *self {}
    }

    pub(crate) fn spirv(&self) -> Box<dyn Engine + '_> {
        match *self {}
    }
}
