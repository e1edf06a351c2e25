//! What the stage of a graphics program, its header and the options mean for instructions.

use crate::container::Sph;
use crate::container::sph::Interpolation;
use crate::container::sph::{Field, Maps, common, pixel};
use crate::{Options, ShaderStage};

/// Bytes of the space of attributes of a vertex, and of that of a patch.
pub const ATTRIBUTE_BYTES: u16 = 0x400;
/// Components of a vertex: each takes four bytes of the space.
pub const COMPONENTS: u16 = ATTRIBUTE_BYTES / 4;
/// The most vertices of an input primitive or patch.
pub const MOST_VERTICES: u16 = 32;

/// The context of instructions of a graphics program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The stage.
    pub stage: ShaderStage,
    /// The Shader Program Header. Without one, all attributes exist, and a pixel program has one render target.
    pub header: Option<Sph>,
    /// Choices that nothing published settles.
    pub options: Options,
    /// Whether the program is known to pass on the state of emission as it must. Then instructions do not compute it.
    pub(crate) keeps_state: bool,
}

impl Drawing {
    /// The context of a program with a header.
    pub fn new(stage: ShaderStage, header: Option<Sph>, options: Options) -> Drawing {
        Drawing { stage, header, options, keeps_state: false }
    }

    /// How often the program runs for a primitive or patch.
    pub(crate) fn invocations(&self) -> u32 {
        self.field(const { common("ThreadsPerInputPrimitive") }).filter(|n| *n > 0).unwrap_or(1)
    }

    /// Whether an input exists.
    pub(crate) fn reads(&self, component: u16) -> bool {
        self.header.and_then(|h| h.input(4 * component)).is_none_or(|mapped| mapped.value != 0)
    }

    /// Whether an output exists. What is stored to others is dropped.
    pub(crate) fn writes(&self, component: u16) -> bool {
        self.header.and_then(|h| h.output(4 * component)).is_none_or(|mapped| mapped.value != 0)
    }

    /// Whether the header states that the program writes a component of outputs. Without a header it may write all.
    pub(crate) fn has_output(&self, component: u16) -> bool {
        let stated = |header: &Sph| header.output(4 * component).is_some_and(|mapped| mapped.value != 0);
        self.header.as_ref().is_none_or(stated)
    }

    /// Whether the program is a fast geometry program, in which OUT does nothing.
    pub fn is_fast(&self) -> bool {
        self.stage == ShaderStage::Geometry && self.field(const { common("IsFastGs") }) == Some(1)
    }

    /// The interpolation that the header states for an input of a pixel program.
    pub(crate) fn interpolation(&self, component: u16) -> Option<Interpolation> {
        self.header?.input(4 * component)?.interpolation()
    }

    /// A field of the header; `None` without a header.
    pub(crate) fn field(&self, field: &Field) -> Option<u32> {
        self.header.map(|header| header.value(field))
    }
}

const TARGET: &Field = pixel("OmapTarget");

/// What the hardware takes from registers where a pixel program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelOutput {
    /// A component of a render target.
    Target {
        /// The render target.
        number: u16,
        /// The component.
        component: u16,
    },
    /// The mask of samples.
    SampleMask,
    /// Depth.
    Depth,
}

/// Render targets.
pub const TARGETS: u16 = 8;

impl PixelOutput {
    /// The unit of the output file that holds it.
    pub const fn unit(self) -> u16 {
        match self {
            PixelOutput::Target { number, component } => 4 * number + component,
            PixelOutput::SampleMask => 4 * TARGETS,
            PixelOutput::Depth => 4 * TARGETS + 1,
        }
    }

    /// Whether both are the same output, or components of one render target.
    pub(crate) fn is_with(self, other: PixelOutput) -> bool {
        match (self, other) {
            (PixelOutput::Target { number, .. }, PixelOutput::Target { number: other, .. }) => {
                number == other
            }
            _ => self == other,
        }
    }

    /// The field of the header that requests it.
    pub(crate) const fn field(self) -> &'static Field {
        match self {
            PixelOutput::Target { .. } => const { pixel("OmapTarget") },
            PixelOutput::SampleMask => const { pixel("OmapSampleMask") },
            PixelOutput::Depth => const { pixel("OmapDepth") },
        }
    }
}

/// The outputs of a pixel program, each with the number of its register: the components of the targets that are
/// enabled, from `R0`, then the mask of samples, then depth. The register of the mask is reserved even without one.
/// Without a header the only target has four components.
pub fn pixel_outputs(header: Option<&Sph>) -> impl Iterator<Item = (PixelOutput, u16)> {
    let header = header.copied();
    let has = move |number: u16, component: u16| match header {
        Some(h) if h.maps() == Maps::Pixel => TARGET.get(&h, number) >> component & 1 != 0,
        Some(_) => false,
        None => number == 0,
    };
    let all = (0..TARGETS).flat_map(|number| (0..4).map(move |component| (number, component)));
    let targets = all.filter(move |(number, component)| has(*number, *component));
    let first = targets.clone().count() as u16;
    let colours = targets.map(|(number, component)| PixelOutput::Target { number, component }).zip(0..);
    let others = [(PixelOutput::SampleMask, first), (PixelOutput::Depth, first + 1)];
    let requested = move |output: PixelOutput| {
        header.is_some_and(|h| h.maps() == Maps::Pixel && h.value(output.field()) == 1)
    };
    colours.chain(others.into_iter().filter(move |(output, _)| requested(*output)))
}
