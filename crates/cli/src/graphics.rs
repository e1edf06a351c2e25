//! The graphics device, for engines that translate programs.

use crate::stop::Stop;
use shisa::translation::execute::Device;
use shisa::translation::{SpirvVersion, Target};
use shisa_lockstep::{Engine, Translated};

/// An open graphics device.
pub(crate) struct Graphics(Device);

/// Opens the first device.
pub(crate) fn open() -> Result<Graphics, Stop> {
    Device::open().map(Graphics).map_err(Stop::Failed)
}

impl Graphics {
    /// WGSL on the device.
    pub(crate) fn wgsl(&self) -> Box<dyn Engine + '_> {
        Box::new(Translated { device: &self.0, target: Target::Wgsl })
    }

    /// SPIR-V on the device.
    pub(crate) fn spirv(&self) -> Box<dyn Engine + '_> {
        Box::new(Translated { device: &self.0, target: Target::Spirv(SpirvVersion::V1_3) })
    }
}
