//! Inputs and outputs of graphics programs: their names and their bindings.

use crate::component;
use crate::container::sph::Interpolation as Stated;
use crate::drawing::{COMPONENTS, PixelOutput, TARGETS};
use crate::registers::{ATTRIBUTES, OUTPUTS, PATCH as PATCH_INPUTS, PIXEL, PixelRegister};
use crate::{Drawing, ShaderStage};
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;
use shisa_ir::{Binding, FileId, Interpolation, Io, Mask, Node, Op, Reg, Sampling, Scalar, Swizzle};

/// The location of the first attribute after the generic ones: colours, then texture coordinates and fog.
const COLOURS: u32 = 32;
const TEXTURES: u32 = COLOURS + 4;
const FOG: u32 = TEXTURES + 10;

/// An attribute: consecutive components.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name, such as `generic3`.
    pub name: Cow<'static, str>,
    /// Its first component.
    pub first: u16,
    /// How many components it has, 1 to 4.
    pub count: u8,
    /// The kind of its components.
    pub scalar: Scalar,
}

/// An attribute without the text of its name: a program has few of them.
#[derive(Clone, Copy)]
struct Slot {
    /// The name before the number.
    name: &'static str,
    /// The number at the end of the name, if it has one.
    number: Option<u16>,
    first: u16,
    count: u8,
    scalar: Scalar,
    /// What it is bound to; `None` if other languages have no such input or output.
    binding: Option<Binding>,
}

/// Attributes of a patch: the levels of tessellation, and vectors of the programs' own.
const PATCH: [(u16, &str, u8, Binding); 2] = [
    (0x000, "tess_level_outer", 4, Binding::OuterLevel),
    (0x010, "tess_level_inner", 2, Binding::InnerLevel),
];
/// The address of the first vector of a patch, and how many there are.
const PATCH_VECTORS: (u16, u16) = (0x020, 30);

/// System values: the first component, the name, the number of components, their kind and the binding.
type System = (u16, &'static str, u8, Scalar, Option<Binding>);

const SYSTEM: &[System] = &[
    (component::PRIMITIVE, "primitive", 1, Scalar::I32, Some(Binding::PrimitiveIndex)),
    (component::LAYER, "layer", 1, Scalar::I32, Some(Binding::Layer)),
    (component::VIEWPORT, "viewport", 1, Scalar::I32, Some(Binding::ViewportIndex)),
    (component::POINT_SIZE, "point_size", 1, Scalar::F32, Some(Binding::PointSize)),
    (component::POSITION, "position", 4, Scalar::F32, Some(Binding::Position)),
    (component::CLIP_DISTANCES.start, "clip_distance0", 4, Scalar::F32, Some(Binding::ClipDistance(0))),
    (component::CLIP_DISTANCES.start + 4, "clip_distance4", 4, Scalar::F32, Some(Binding::ClipDistance(4))),
    (component::POINT_COORDINATE, "point_coordinate", 2, Scalar::F32, Some(Binding::PointCoordinate)),
    (0x2e8 / 4, "fog", 1, Scalar::F32, Some(Binding::Location(FOG))),
    (component::DOMAIN.start, "domain", 2, Scalar::F32, Some(Binding::DomainPosition)),
    (component::INSTANCE, "instance", 1, Scalar::I32, Some(Binding::InstanceIndex)),
    (component::VERTEX, "vertex", 1, Scalar::I32, Some(Binding::VertexIndex)),
    (0x3a0 / 4, "viewport_mask", 1, Scalar::I32, Some(Binding::ViewportMask)),
    (component::FRONT_FACING, "front_facing", 1, Scalar::I32, Some(Binding::FrontFacing)),
];

/// Attributes of four components, one after the other: the first address, the number, the name before the number, and
/// the first location.
const VECTORS: &[(u16, u16, &str, u32)] =
    &[(0x080, 32, "generic", 0), (0x280, 4, "color", COLOURS), (0x300, 10, "texture", TEXTURES)];

impl Attribute {
    /// All attributes, in the order of their addresses.
    pub fn all() -> Vec<Attribute> {
        Attribute::of(Slot::all())
    }

    /// All attributes of a patch, in the order of their addresses.
    pub fn of_patch() -> Vec<Attribute> {
        Attribute::of(Slot::of_patch())
    }

    fn of(slots: impl Iterator<Item = Slot>) -> Vec<Attribute> {
        let attribute = |slot: Slot| Attribute {
            name: slot.name(),
            first: slot.first,
            count: slot.count,
            scalar: slot.scalar,
        };
        let mut all: Vec<Attribute> = slots.map(attribute).collect();
        all.sort_by_key(|attribute| attribute.first);
        all
    }
}

impl Slot {
    /// All attributes, in no order.
    fn all() -> impl Iterator<Item = Slot> {
        let system = SYSTEM.iter().map(|&(first, name, count, scalar, binding)| Slot {
            name,
            number: None,
            first,
            count,
            scalar,
            binding,
        });
        let vectors = VECTORS.iter().flat_map(|&(address, count, name, location)| {
            (0..count).map(move |n| Slot {
                name,
                number: Some(n),
                first: address / 4 + 4 * n,
                count: 4,
                scalar: Scalar::F32,
                binding: Some(Binding::Location(location + u32::from(n))),
            })
        });
        system.chain(vectors)
    }

    /// All attributes of a patch.
    fn of_patch() -> impl Iterator<Item = Slot> {
        let slot = |name, number, first, count, binding| Slot {
            name,
            number,
            first,
            count,
            scalar: Scalar::F32,
            binding: Some(binding),
        };
        let levels =
            PATCH.iter().map(move |&(address, name, count, b)| slot(name, None, address / 4, count, b));
        let (address, count) = PATCH_VECTORS;
        let vectors = (0..count)
            .map(move |n| slot("patch", Some(n), address / 4 + 4 * n, 4, Binding::PatchLocation(n.into())));
        levels.chain(vectors)
    }

    /// Those that have some of these components, with them, in the order of their addresses.
    fn used(slots: impl Iterator<Item = Slot>, components: &BTreeSet<u16>) -> Vec<(Slot, Mask)> {
        let with_used = slots.map(|slot| {
            let has = (0..slot.count).filter(|i| components.contains(&(slot.first + u16::from(*i))));
            (slot, Mask(has.fold(0, |mask, i| mask | 1 << i)))
        });
        let mut all: Vec<(Slot, Mask)> = with_used.filter(|(_, used)| used.0 != 0).collect();
        all.sort_by_key(|(slot, _)| slot.first);
        all
    }

    fn name(&self) -> Cow<'static, str> {
        self.number.map_or(Cow::Borrowed(self.name), |number| format!("{}{number}", self.name).into())
    }

    /// Whether each vertex of a primitive has its own in other languages.
    fn is_of_vertices(&self) -> bool {
        use Binding::{ClipDistance, Location, PointSize, Position};
        matches!(self.binding, Some(Location(_) | Position | PointSize | ClipDistance(_)))
    }

    /// As an input or output in a file.
    fn io(&self, file: FileId, used: Mask, binding: Binding) -> Io {
        let reg = Reg::new(file, self.first);
        Io { name: self.name(), reg, scalar: self.scalar, count: self.count, used, binding }
    }
}

/// The units of a file that operations read or write; all of them where a computed one is read.
fn units<'a>(nodes: impl Iterator<Item = &'a Node>, file: FileId, written: bool) -> BTreeSet<u16> {
    let mut all = BTreeSet::new();
    for node in nodes {
        match node.op {
            Op::Read { reg, swizzle } if reg.file == file && !written => {
                all.extend((0..node.ty.count).map(|i| reg.unit + u16::from(Swizzle::get(swizzle, i))));
            }
            Op::ReadAt { file: read, .. } if read == file && !written => all.extend(0..COMPONENTS),
            Op::Write { reg, mask, .. } if reg.file == file && written => {
                all.extend(mask.iter().map(|c| reg.unit + u16::from(c)));
            }
            _ => {}
        }
    }
    all
}

/// The inputs of a program with these operations, in the order of their addresses. `sampling` is the position at which the
/// attribute with a first component is interpolated.
pub(crate) fn inputs<'a>(
    drawing: Option<&Drawing>,
    nodes: impl Iterator<Item = &'a Node> + Clone,
    sampling: impl Fn(u16) -> Sampling,
) -> Vec<Io> {
    let Some(drawing) = drawing else { return Vec::new() };
    let read = units(nodes.clone(), ATTRIBUTES, false);
    let mut all = Vec::new();
    for (slot, used) in Slot::used(Slot::all(), &read) {
        let binding = match slot.binding {
            Some(Binding::Position) => Some(Binding::PixelPosition),
            Some(Binding::Location(location)) if drawing.stage == ShaderStage::Fragment => {
                Some(varying(drawing, &slot, used, location, sampling(slot.first)))
            }
            other => other,
        };
        all.extend(binding.map(|binding| slot.io(ATTRIBUTES, used, binding)));
    }
    all.extend(of_patch(&units(nodes.clone(), PATCH_INPUTS, false), PATCH_INPUTS));
    let pixel = units(nodes, PIXEL, false);
    let registers = [
        ("sample", PixelRegister::Sample, Binding::SampleIndex),
        ("coverage", PixelRegister::Coverage, Binding::SampleMask),
    ];
    for (name, register, binding) in registers {
        if pixel.contains(&register.unit()) {
            let reg = Reg::new(PIXEL, register.unit());
            let used = Mask::first(1);
            all.push(Io { name: name.into(), reg, scalar: Scalar::I32, count: 1, used, binding });
        }
    }
    all
}

/// The attributes of a patch that have some of these components, as inputs or outputs in a file.
pub(crate) fn of_patch(components: &BTreeSet<u16>, file: FileId) -> Vec<Io> {
    bound(Slot::used(Slot::of_patch(), components), file)
}

/// The outputs of vertices that have some of these components.
pub(crate) fn vertex_outputs(components: &BTreeSet<u16>) -> Vec<Io> {
    bound(Slot::used(Slot::all(), components), OUTPUTS)
}

/// Those that other languages have, as inputs or outputs in a file.
fn bound(slots: Vec<(Slot, Mask)>, file: FileId) -> Vec<Io> {
    let io = |(slot, used): (Slot, Mask)| slot.binding.map(|binding| slot.io(file, used, binding));
    slots.into_iter().filter_map(io).collect()
}

/// The attributes of the vertices of a primitive that have some of these components, in the order of their addresses.
/// Attribute n begins at unit 4 n of a file. Also returns the attribute and its component of each of these components.
pub(crate) fn of_vertices(components: &BTreeSet<u16>, file: FileId) -> (Vec<Io>, BTreeMap<u16, (u16, u8)>) {
    let mut all = Vec::new();
    let mut places = BTreeMap::new();
    for (slot, used) in Slot::used(Slot::all().filter(Slot::is_of_vertices), components) {
        if let Some(binding) = slot.binding {
            let number = all.len() as u16;
            places.extend(used.iter().map(|c| (slot.first + u16::from(c), (number, c))));
            let (name, reg) = (format!("vertex_{}", slot.name()).into(), Reg::new(file, 4 * number));
            all.push(Io { name, reg, ..slot.io(file, used, binding) });
        }
    }
    (all, places)
}

/// The components of its vertices that a fast geometry program outputs where it stores nothing else: those of the header's
/// outputs.
pub fn passed(drawing: &Drawing) -> Vec<u16> {
    let outputs = (0..COMPONENTS).filter(|component| drawing.writes(*component)).collect();
    of_vertices(&outputs, OUTPUTS).1.into_keys().collect()
}

/// The binding of an input of a pixel program. All components of a location have one interpolation in other languages;
/// that of the first one that is used counts.
fn varying(drawing: &Drawing, slot: &Slot, used: Mask, location: u32, sampling: Sampling) -> Binding {
    let stated = used.iter().find_map(|c| drawing.interpolation(slot.first + u16::from(c)));
    let interpolation = match stated {
        Some(Stated::Constant) => Interpolation::Flat,
        Some(Stated::Linear) => Interpolation::Linear,
        Some(Stated::Perspective | Stated::Unused) | None => Interpolation::Perspective,
    };
    match (interpolation, sampling) {
        (Interpolation::Perspective, Sampling::Centre) => Binding::Location(location),
        (Interpolation::Flat, _) => Binding::Varying { location, interpolation, sampling: Sampling::Centre },
        _ => Binding::Varying { location, interpolation, sampling },
    }
}

/// The outputs of a program with these operations, in the order of their addresses; of a pixel program in the order of its
/// targets.
pub(crate) fn outputs<'a>(drawing: Option<&Drawing>, nodes: impl Iterator<Item = &'a Node>) -> Vec<Io> {
    let Some(drawing) = drawing else { return Vec::new() };
    let written = units(nodes, OUTPUTS, true);
    if drawing.stage == ShaderStage::Fragment {
        return pixel_outputs(&written);
    }
    vertex_outputs(&written)
}

fn pixel_outputs(written: &BTreeSet<u16>) -> Vec<Io> {
    let mut all = Vec::new();
    for number in 0..TARGETS {
        let first = PixelOutput::Target { number, component: 0 }.unit();
        let used = (0..4u8).filter(|c| written.contains(&(first + u16::from(*c))));
        let used = Mask(used.fold(0, |mask, c| mask | 1 << c));
        if used.0 != 0 {
            let reg = Reg::new(OUTPUTS, first);
            let (name, binding) = (format!("target{number}").into(), Binding::Location(number.into()));
            all.push(Io { name, reg, scalar: Scalar::F32, count: 4, used, binding });
        }
    }
    let others = [
        ("sample_mask", PixelOutput::SampleMask, Scalar::I32, Binding::SampleMask),
        ("depth", PixelOutput::Depth, Scalar::F32, Binding::Depth),
    ];
    for (name, output, scalar, binding) in others {
        if written.contains(&output.unit()) {
            let reg = Reg::new(OUTPUTS, output.unit());
            all.push(Io { name: name.into(), reg, scalar, count: 1, used: Mask::first(1), binding });
        }
    }
    all
}
