//! Programs that draw: what they find in registers and in the tile, and what they leave there.

use super::blocks::Block;
use super::first;
use super::textures::{self, half_name};
use crate::forms::elements;
use crate::operand::{BLOCK_EXPLICIT, COMPONENTS, NUMBER, SHAPE, TILE_EXPLICIT};
use crate::registers::{
    ATTRIBUTES, BACKFACING, COLOUR_WORDS, COLOURS, INPUT_SAMPLES, INSTANCE, OWN_SAMPLE, PIXEL_DEPTH,
    THREAD_IN_GRID, VERTEX,
};
use crate::{
    Agx, COEFFICIENTS, Coefficient, DEPTHS, REGISTERS, STENCILS, TILE, UNIFORMS, VARYINGS, instructions,
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use core::ops::Range;
use shisa_diag::Diagnostic;
use shisa_ir::{
    Axis, Binary, Binding, Builder, Convert, Dim, End, FileId, Func, Interpolation, Io, Lod, Mask, Nodes, Op,
    Reg, Sampling, Scalar, Shape, Space, Stage, Swizzle, TexKind, TexOp, Type, Value,
};
use shisa_rows::Insn;

/// The places in the tile that a program uses, each by rising offset.
pub(super) struct Tile {
    read: Vec<Colour>,
    stored: Vec<Colour>,
}

/// A place in the tile.
pub(super) struct Colour {
    /// Bytes from the first of the pixel.
    offset: u64,
    format: u64,
    /// Elements.
    count: u8,
}

/// The stage of a program by what it does: one that gives outputs on is a vertex program, one that stores to its own
/// pixel in the tile, or writes it to an image, a fragment program.
pub(super) fn stage(code: &[u8]) -> Stage {
    let any = |test: fn(&Insn<Agx>) -> bool| instructions(code).any(|(_, insn)| test(&insn));
    let vertex = any(|i| ["st_var", "no_var"].contains(&i.form().name));
    let named = any(|i| match i.form().name {
        "st_tile" => TILE_EXPLICIT.field.get(&i.word) != 0,
        "imgwblk" => BLOCK_EXPLICIT.field.get(&i.word) != 0,
        _ => false,
    });
    let fragment = any(|i| ["st_tile", "imgwblk", "sample_mask", "zs_emit"].contains(&i.form().name));
    match (vertex, fragment && !named) {
        (true, _) => Stage::Vertex,
        (_, true) => Stage::Fragment,
        _ => Stage::Compute,
    }
}

/// Refuses instructions that only programs of another stage can have.
///
/// # Errors
/// `translate-stage` for each of them.
pub(super) fn belongs(code: &[u8], stage: Stage) -> Result<(), Vec<Diagnostic>> {
    let wanted = |name| match name {
        "st_var" => Some(Stage::Vertex),
        "ld_tile" | "st_tile" | "imgwblk" if stage == Stage::Compute => None,
        "iter" | "ldcf" | "ld_tile" | "st_tile" | "sample_mask" | "zs_emit" | "imgwblk" => {
            Some(Stage::Fragment)
        }
        _ => None,
    };
    let mut faults = Vec::new();
    for (at, insn) in instructions(code) {
        let name = insn.form().name;
        if let Some(other) = wanted(name).filter(|s| *s != stage) {
            let (other, stage) = (other.name(), stage.name());
            let text = format!("{name} is for {other} programs, and this is a {stage} program");
            let d = Diagnostic::error("translate-stage", text);
            faults.push(d.at_bytes(at..at + crate::length(&insn), ""));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// What a program does with the tile, given the blocks of it that go to images.
///
/// # Errors
/// `translate-tile` for what other languages have no form for.
pub(super) fn tile(code: &[u8], blocks: &[Block]) -> Result<Tile, Vec<Diagnostic>> {
    let mut tile = Tile { read: Vec::new(), stored: Vec::new() };
    let mut faults = Vec::new();
    let mut add = |stored: bool, colour: Colour, insn: Range<usize>| {
        let (all, twice) = match stored {
            false => (&mut tile.read, "a pixel's colour is read in two formats"),
            true => (&mut tile.stored, "a pixel's colour is stored in two formats"),
        };
        match all.iter_mut().find(|c| c.offset == colour.offset) {
            Some(c) if c.format == colour.format => c.count = c.count.max(colour.count),
            Some(_) => faults.push(Diagnostic::error("translate-tile", twice).at_bytes(insn, "")),
            None => all.push(colour),
        }
    };
    for (at, insn) in instructions(code) {
        let stored = match insn.form().name {
            "ld_tile" => false,
            "st_tile" => true,
            _ => continue,
        };
        let [offset, format, mask] = [NUMBER, SHAPE, COMPONENTS].map(|slot| insn.field(slot));
        let count = Mask(mask as u8 & 15).0.checked_ilog2().map_or(0, |n| n as u8 + 1);
        add(stored, Colour { offset, format, count }, at..at + crate::length(&insn));
    }
    for block in blocks {
        add(false, Colour { offset: block.offset, format: block.format, count: 4 }, block.insn.clone());
    }
    tile.read.sort_by_key(|c| c.offset);
    tile.stored.sort_by_key(|c| c.offset);
    if tile.read.len().max(tile.stored.len()) > 8 {
        faults.push(Diagnostic::error("translate-tile", "a pixel has more than eight colours"));
    }
    if faults.is_empty() { Ok(tile) } else { Err(faults) }
}

/// Fills the tile with what was drawn before, as far as the program reads it or stores only to some pixels: a texture for
/// each place, whose texel is that of the pixel, or of the lane's own of so many samples. It has the number of the colour
/// that the program stores there.
pub(super) fn bring(func: &mut Func, tile: &Tile, samples: u16) {
    first(func, |b| fill(b, tile, samples));
}

fn fill(b: &mut Builder<'_>, tile: &Tile, samples: u16) {
    let mut halves: BTreeMap<u16, Value> = BTreeMap::new();
    let colour = |place: &Colour| tile.stored.iter().position(|c| c.offset == place.offset);
    let mut others = tile.stored.len()..;
    let kept = tile.stored.iter().filter(|s| tile.read.iter().all(|r| r.offset != s.offset));
    for place in tile.read.iter().chain(kept) {
        let number = colour(place).or_else(|| others.next()).unwrap_or_default() as u16;
        let pixel = b.read(THREAD_IN_GRID, Swizzle::IDENTITY, Scalar::I32.by(2));
        let multisampled = samples > 1;
        let sample = multisampled.then(|| b.read(OWN_SAMPLE, Swizzle::IDENTITY, Type::I32));
        let shape = Shape { multisampled, ..Dim::D2.into() };
        let texel = TexOp::sample(textures::TILE + number, shape, pixel, Lod::Zero);
        let texel = b.texture(TexOp { kind: TexKind::Fetch, sample, ..texel }, elements::kind(place.format));
        let texel = b.swizzle(texel, Swizzle::IDENTITY, place.count.max(1));
        // The lift refuses formats that do not exist.
        for (behind, v) in elements::packed(b, place.format, texel).unwrap_or_default() {
            let byte = place.offset + behind;
            let half = (byte / 2) as u16;
            if b.ty(v).scalar != Scalar::I8 {
                b.write(Reg::new(TILE, half), Mask::first(1), v);
                continue;
            }
            let v = b.convert(Convert::ZeroExtend, v, Scalar::I16);
            let by = b.constant(Scalar::I16.by(1), 8 * (byte & 1));
            let v = b.shl(v, by);
            let both = halves.get(&half).map_or(v, |known| b.or(*known, v));
            halves.insert(half, both);
        }
    }
    for (half, v) in halves {
        b.write(Reg::new(TILE, half), Mask::first(1), v);
    }
}

/// Puts into registers what a vertex program finds there.
pub(super) fn begin(func: &mut Func) {
    first(func, |b| {
        for (register, input) in [(5, VERTEX), (6, INSTANCE)] {
            let v = b.read(input, Swizzle::IDENTITY, Type::I32);
            b.write(Reg::new(REGISTERS, 2 * register), Mask::first(1), v);
        }
        for i in 0..ATTRIBUTE_COMPONENTS {
            let v = b.read(Reg::new(ATTRIBUTES, i), Swizzle::IDENTITY, Type::F32);
            let v = b.convert(Convert::Bits, v, Scalar::I32);
            b.write(Reg::new(REGISTERS, 2 * (8 + i)), Mask::first(1), v);
        }
    });
}

/// Components of attributes that have room in registers.
const ATTRIBUTE_COMPONENTS: u16 = 120;

/// Lets the depth be that of the primitive until the program gives another. Of stencil values no language tells what the
/// host has set: they begin as zero, as all registers do.
pub(super) fn keep_depth(func: &mut Func) {
    let depth = |v: &Value| matches!(func.nodes.op(*v), Op::Write { reg, .. } if reg.file == DEPTHS);
    if func.blocks.iter().flat_map(|b| &b.body).any(depth) {
        first(func, |b| {
            let v = b.read(PIXEL_DEPTH, Swizzle::IDENTITY, Type::F32);
            b.write(Reg::new(DEPTHS, 0), Mask::first(1), v);
        });
    }
}

/// Gives on, where the program ends, what the tile holds.
pub(super) fn end(func: &mut Func, tile: &Tile) {
    for i in 0..func.blocks.len() {
        if func.blocks[i].end != End::Exit {
            continue;
        }
        let start = func.nodes.list.len() as u32;
        let mut b = Builder::new(&mut func.nodes, 0);
        for (place, colour) in (0..).zip(&tile.stored) {
            give(&mut b, 4 * place, colour);
        }
        func.blocks[i].body.extend((start..func.nodes.list.len() as u32).map(Value));
    }
}

fn give(b: &mut Builder<'_>, unit: u16, colour: &Colour) {
    let parts = elements::numbers(b, colour.format, colour.count, |b, scalar, behind| {
        let byte = colour.offset + behind;
        let reg = Reg::new(TILE, (byte / 2) as u16);
        if scalar == Scalar::I32 {
            return b.read(reg, Swizzle::IDENTITY, Type::I32);
        }
        let half = b.read(reg, Swizzle::IDENTITY, Scalar::I16.by(1));
        if scalar == Scalar::I16 {
            return half;
        }
        let by = b.constant(Scalar::I16.by(1), 8 * (byte & 1));
        let byte = b.lshr(half, by);
        b.convert(Convert::Truncate, byte, Scalar::I8)
    });
    let Some(mut parts) = parts.filter(|p| !p.is_empty()) else { return };
    let file = if b.ty(parts[0]).scalar == Scalar::F32 { COLOURS } else { COLOUR_WORDS };
    for part in &mut parts {
        if !matches!(b.ty(*part).scalar, Scalar::F32 | Scalar::I32) {
            *part = b.convert(Convert::ZeroExtend, *part, Scalar::I32);
        }
    }
    if parts.len() == 3 {
        // No target has three components; what is missing of a colour is 1.
        let ty = b.ty(parts[0]);
        let one = if file == COLOURS { 1f32.to_bits().into() } else { 1 };
        parts.push(b.constant(ty, one));
    }
    let v = b.join(&parts);
    b.write(Reg::new(file, unit), Mask::first(parts.len() as u8), v);
}

/// Registers whose change along x nobody asks for hold numbers that do not change: what they have of the first and of the
/// last vertex stands where others have the value at the corner and the change along y. Languages give that of the vertex
/// that the host has chosen.
///
/// What others hold follows from their value at the pixel, how it changes, and the pixel's place. Answers whether there are
/// such.
pub(super) fn planes(func: &mut Func) -> bool {
    let [x, y, corner] = [Coefficient::Dx, Coefficient::Dy, Coefficient::Corner].map(Coefficient::unit);
    let read = |n: &Value| match func.nodes.op(*n) {
        Op::Read { reg, .. } if reg.file == COEFFICIENTS && reg.unit & !255 == x => Some(reg.unit & 255),
        _ => None,
    };
    let changing: BTreeSet<u16> = func.blocks.iter().flat_map(|b| &b.body).filter_map(read).collect();
    let mut planes = BTreeMap::new();
    first(func, |b| {
        for &register in &changing {
            let plane = plane(b, register);
            planes.extend([x, y, corner].map(|kind| kind + register).into_iter().zip(plane));
        }
    });
    func.rewrite(|b, v| {
        let Op::Read { reg, .. } = &mut b.nodes.list[v.index()].op else { return None };
        if reg.file != COEFFICIENTS {
            return None;
        }
        if reg.unit & !255 == y && !changing.contains(&(reg.unit & 255)) {
            reg.unit = corner + (reg.unit & 255);
        }
        planes.get(&reg.unit).copied()
    });
    !planes.is_empty()
}

/// The changes of a register along x and y, and its value at the upper left corner of the tile of 32 by 32 pixels.
fn plane(b: &mut Builder<'_>, register: u16) -> [Value; 3] {
    let centre = Coefficient::Centre { perspective: false }.unit() + register;
    let v = b.read(Reg::new(COEFFICIENTS, centre), Swizzle::IDENTITY, Type::F32);
    let changes = [Axis::X, Axis::Y].map(|axis| b.derivative(axis, v));
    let mut corner = v;
    for (i, change) in (0..).zip(changes) {
        let place =
            b.read(Reg::new(THREAD_IN_GRID.file, THREAD_IN_GRID.unit + i), Swizzle::IDENTITY, Type::I32);
        let (last, half) = (b.i32(31), b.f32(0.5, 1));
        let place = b.and(place, last);
        let place = b.convert(Convert::UnsignedToFloat, place, Scalar::F32);
        let place = b.fadd(place, half);
        let way = b.fmul(change, place);
        corner = b.fsub(corner, way);
    }
    [changes[0], changes[1], corner]
}

/// Outputs whose number is that of a uniform and a constant become registers behind those whose number is known: which
/// they are only the host knows. Answers with the half of the uniforms of each group of four, and how many groups it lies
/// behind what that tells.
pub(super) fn place_outputs(func: &mut Func) -> Vec<(u16, u16)> {
    let nodes = &func.nodes;
    let number = |v: Value| match nodes.op(v) {
        Op::Store { space: Space::Outputs, address, .. } => numbered(nodes, address, 8),
        _ => None,
    };
    let all = func.blocks.iter().flat_map(|b| &b.body).filter_map(|v| number(*v));
    let groups: BTreeSet<(u16, u16)> = all.map(|(uniform, n)| (uniform, n / 4)).collect();
    let groups: Vec<(u16, u16)> = groups.into_iter().take(usize::from(GROUPS - NAMED)).collect();
    func.rewrite(|b, v| {
        let Op::Store { space: Space::Outputs, address, value } = b.nodes.op(v) else { return None };
        let (uniform, n) = numbered(b.nodes, address, 8)?;
        let group = groups.iter().position(|g| *g == (uniform, n / 4))? as u16;
        let reg = Reg::new(VARYINGS, 4 * (NAMED + group) + n % 4);
        let value = b.convert(Convert::Bits, value, Scalar::F32);
        b.write(reg, Mask::first(1), value);
        Some(value)
    });
    groups
}

/// Groups of four outputs, and the first of those whose number is a uniform's.
const GROUPS: u16 = 64;
const NAMED: u16 = 32;

/// The half of the uniforms whose number, and what more, a byte address in outputs stands for.
fn numbered(nodes: &Nodes, v: Value, depth: u8) -> Option<(u16, u16)> {
    let constant = |v: Value| match nodes.op(v) {
        Op::Const(n) => Some(n),
        _ => None,
    };
    let depth = depth.checked_sub(1)?;
    match nodes.op(v) {
        Op::Read { reg, .. } if reg.file == UNIFORMS && nodes.ty(v) == Scalar::I16.by(1) => {
            Some((reg.unit, 0))
        }
        Op::Convert { op: Convert::Truncate | Convert::ZeroExtend | Convert::SignExtend, a, .. } => {
            numbered(nodes, a, depth)
        }
        // Four bytes for each.
        Op::Binary { op: Binary::Shl, a, b, .. } if constant(b) == Some(2) => numbered(nodes, a, depth),
        Op::Binary { op: Binary::IAdd, a, b, .. } => {
            let (of, more) = match (constant(a), constant(b)) {
                (_, Some(n)) => (a, n),
                (Some(n), _) => (b, n),
                _ => return None,
            };
            let (unit, n) = numbered(nodes, of, depth)?;
            Some((unit, n.checked_add(u16::try_from(more).ok()?)?))
        }
        _ => None,
    }
}

fn io(name: String, reg: Reg, scalar: Scalar, count: u8, binding: Binding) -> Io {
    Io { name: name.into(), reg, scalar, count, used: Mask::first(count), binding }
}

/// What the function gives on, given the outputs whose number is a uniform's. Their names tell that uniform, and what more.
pub(super) fn outputs(func: &Func, placed: &[(u16, u16)]) -> Vec<Io> {
    let mut written: BTreeSet<Reg> = BTreeSet::new();
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        if let Op::Write { reg, mask, .. } = func.nodes.op(*v) {
            written.extend(mask.iter().map(|c| Reg::new(reg.file, reg.unit + u16::from(c))));
        }
    }
    // The components of each group of four that are written.
    let groups = |file: FileId| {
        (0..GROUPS).filter_map({
            let written = &written;
            move |group| {
                let used = (0..4).filter(|c| written.contains(&Reg::new(file, 4 * group + c)));
                let mask = used.fold(0, |mask, c| mask | 1u8 << c);
                (mask != 0).then_some((group, Mask(mask)))
            }
        })
    };
    let mut all = Vec::new();
    let mut next = 0;
    for (group, used) in groups(VARYINGS) {
        let reg = Reg::new(VARYINGS, 4 * group);
        let (name, binding) = match group.checked_sub(1) {
            None => ("position".into(), Binding::Position),
            Some(n) => {
                // Behind the others those whose number a uniform tells.
                let place = group.checked_sub(NAMED).and_then(|i| placed.get(usize::from(i)));
                let location = if place.is_none() { n.into() } else { next };
                next = location + 1;
                let name = match place {
                    None => format!("varying{location}"),
                    Some((half, 0)) => format!("varying{location}_{}", half_name(*half)),
                    Some((half, more)) => format!("varying{location}_{}_{}", half_name(*half), 4 * more),
                };
                (name, Binding::Location(location))
            }
        };
        all.push(Io { used, ..io(name, reg, Scalar::F32, 4, binding) });
    }
    for (file, scalar) in [(COLOURS, Scalar::F32), (COLOUR_WORDS, Scalar::I32)] {
        for (n, used) in groups(file) {
            let count = used.0.checked_ilog2().map_or(0, |n| n as u8 + 1);
            let binding = Binding::Location(n.into());
            all.push(io(format!("colour{n}"), Reg::new(file, 4 * n), scalar, count, binding));
        }
    }
    let others = [
        ("depth", DEPTHS, Scalar::F32, Binding::Depth),
        ("stencil", STENCILS, Scalar::I32, Binding::Stencil),
    ];
    for (name, file, scalar, binding) in others {
        let reg = Reg::new(file, 0);
        all.extend(written.contains(&reg).then(|| io(name.into(), reg, scalar, 1, binding)));
    }
    all
}

/// The inputs of a vertex program that reads these registers.
pub(super) fn vertex_inputs(
    ids: impl Iterator<Item = Range<u16>>,
    attributes: impl Iterator<Item = Range<u16>>,
) -> Vec<Io> {
    let (ids, attributes): (BTreeSet<u16>, BTreeSet<u16>) =
        (ids.flatten().collect(), attributes.flatten().collect());
    let mut all = Vec::new();
    for n in 0..ATTRIBUTE_COMPONENTS / 4 {
        let used = (0..4).filter(|c| attributes.contains(&(4 * n + c))).fold(0, |mask, c| mask | 1u8 << c);
        if used != 0 {
            let reg = Reg::new(ATTRIBUTES, 4 * n);
            let attribute = io(format!("attribute{n}"), reg, Scalar::F32, 4, Binding::Location(n.into()));
            all.push(Io { used: Mask(used), ..attribute });
        }
    }
    for (name, reg, binding) in
        [("vertex", VERTEX, Binding::VertexIndex), ("instance", INSTANCE, Binding::InstanceIndex)]
    {
        if ids.contains(&reg.unit) {
            all.push(io(name.into(), reg, Scalar::I32, 1, binding));
        }
    }
    all
}

/// The inputs of a fragment program that reads these special registers: the pixel, and whether the front is seen; and the
/// depth where it reads that.
pub(super) fn pixel(
    read: impl Iterator<Item = Range<u16>>,
    reads_sample: bool,
    reads_depth: bool,
) -> Vec<Io> {
    let read: BTreeSet<u16> = read.flatten().collect();
    let mut all = Vec::new();
    let used =
        (0..2).filter(|i| read.contains(&(THREAD_IN_GRID.unit + i))).fold(0, |mask, i| mask | 1u8 << i);
    if used != 0 {
        let pixel = io("pixel".into(), THREAD_IN_GRID, Scalar::I32, 2, Binding::Pixel);
        all.push(Io { used: Mask(used), ..pixel });
    }
    if read.contains(&BACKFACING.unit) {
        all.push(io("front".into(), BACKFACING, Scalar::I32, 1, Binding::FrontFacing));
    }
    if read.contains(&INPUT_SAMPLES.unit) {
        all.push(io("sample_mask".into(), INPUT_SAMPLES, Scalar::I32, 1, Binding::SampleMask));
    }
    if reads_sample {
        all.push(io("sample_index".into(), OWN_SAMPLE, Scalar::I32, 1, Binding::SampleIndex));
    }
    if reads_depth {
        all.push(io("pixel_depth".into(), PIXEL_DEPTH, Scalar::F32, 1, Binding::PixelDepth));
    }
    all
}

/// The inputs of a fragment program that reads these units of coefficients: runs of up to four are one.
pub(super) fn coefficients(read: impl Iterator<Item = Range<u16>>) -> Vec<Io> {
    let read: BTreeSet<u16> = read.flatten().collect();
    let mut all: Vec<Io> = Vec::new();
    for unit in read {
        let first = unit & !255;
        let Some(kind) = Coefficient::all().find(|kind| kind.unit() == first) else { continue };
        let between = |perspective| match perspective {
            true => (Interpolation::Perspective, ""),
            false => (Interpolation::Linear, "_linear"),
        };
        let ((interpolation, how), (sampling, place)) = match kind {
            Coefficient::Centre { perspective } => (between(perspective), (Sampling::Centre, "")),
            Coefficient::Centroid { perspective } => {
                (between(perspective), (Sampling::Centroid, "_centroid"))
            }
            Coefficient::Sample { perspective, .. } => (between(perspective), (Sampling::Sample, "_sample")),
            // Where the changes are not asked for there are none: all of the triangle has one value.
            Coefficient::Corner => ((Interpolation::Flat, "_flat"), (Sampling::Centre, "")),
            // They follow from the others.
            Coefficient::Dx | Coefficient::Dy => continue,
        };
        let fits = |io: &&mut Io| io.count < 4 && io.reg.unit + u16::from(io.count) == unit && unit > first;
        if let Some(io) = all.last_mut().filter(fits) {
            io.count += 1;
            io.used = Mask::first(io.count);
            continue;
        }
        let location = all.len() as u32;
        let binding = Binding::Varying { location, interpolation, sampling };
        let name = format!("cf{}{how}{place}", unit - first);
        all.push(io(name, Reg::new(COEFFICIENTS, unit), Scalar::F32, 1, binding));
    }
    all
}
