//! The environment of a wave: textures, memory, and the assembler of emitted vertices.

use crate::Texture;
use crate::wave::{Plane, each, joined};
use shisa_diag::Diagnostic;
use shisa_ir::{Emission, Lanes, Reg, Space, TexOp, TextureRef, WAVE};

/// A texture operation of a wave.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The operation. Each operand has a plane for each of its components, which are binary32 or 32-bit integers; the
    /// planes after them are unused. A 64-bit handle has two planes, the low and the high 32 bits.
    pub op: TexOp<[&'a Plane; 4]>,
    /// Whether lanes 4k to 4k + 3 are a quad. If not, coordinates do not change between lanes and the computed level is
    /// 0.
    pub quads: bool,
    /// The lanes whose result is used, or that write. Coordinates are valid in all lanes.
    pub lanes: Lanes,
}

impl Sample<'_> {
    /// The texture, for messages.
    fn name(&self) -> String {
        match self.op.texture {
            TextureRef::Unit(n) => format!("texture {n}"),
            TextureRef::Numbered(_) => "a texture with a computed number".into(),
            TextureRef::Handle(_) => "a texture at an address".into(),
        }
    }
}

/// The registers of a wave, from which its lanes emit vertices.
pub trait Outputs {
    /// One unit of a register of a lane; zero if the program does not use it.
    ///
    /// # Errors
    /// `eval-register` if the unit does not exist.
    fn register(&self, reg: Reg, lane: usize) -> Result<u32, Diagnostic>;

    /// As many units of a file from one on as `bits` has.
    ///
    /// # Errors
    /// As [`Outputs::register`].
    fn registers(&self, first: Reg, lane: usize, bits: &mut [u32]) -> Result<(), Diagnostic> {
        for (to, unit) in bits.iter_mut().zip(first.unit..) {
            *to = self.register(Reg { unit, ..first }, lane)?;
        }
        Ok(())
    }
}

/// The registers of one lane.
#[derive(Clone, Copy)]
pub struct LaneView<'a> {
    outputs: &'a dyn Outputs,
    lane: usize,
}

impl<'a> LaneView<'a> {
    /// The registers of a lane of a wave.
    pub fn new(outputs: &'a dyn Outputs, lane: usize) -> Self {
        LaneView { outputs, lane }
    }

    /// The lane's index in its wave.
    pub fn lane(&self) -> usize {
        self.lane
    }

    /// One unit of an output register; zero if the program does not use it.
    ///
    /// # Errors
    /// `eval-register` if the unit does not exist.
    pub fn register(&self, reg: Reg) -> Result<u32, Diagnostic> {
        self.outputs.register(reg, self.lane)
    }

    /// As many units of an output file from one on as `bits` has, which is faster than one after the other.
    ///
    /// # Errors
    /// As [`LaneView::register`].
    pub fn registers(&self, first: Reg, bits: &mut [u32]) -> Result<(), Diagnostic> {
        self.outputs.registers(first, self.lane, bits)
    }
}

#[cold]
pub(crate) fn no_register(reg: Reg) -> Diagnostic {
    let text = format!("unit {} of register file {} does not exist", reg.unit, reg.file.0);
    Diagnostic::error("eval-register", text)
}

/// A memory access by the lanes of a wave.
#[derive(Debug)]
pub struct Access<'a> {
    /// The memory space.
    pub space: Space,
    /// The lanes that access it.
    pub lanes: Lanes,
    /// Low and high 32 bits of the byte address.
    pub address: [&'a Plane; 2],
    /// Size of a component in bytes, at most 8. The address of a component is where the one before it ends.
    pub bytes: usize,
}

impl Access<'_> {
    /// A lane's address; `None` if the wave does not have the lane.
    pub fn at(&self, lane: usize) -> Option<u64> {
        let [low, high] = self.address;
        Some(u64::from(low.get(lane)?) | u64::from(high.get(lane)?) << 32)
    }
}

/// Provides textures, memory, and a consumer of emitted vertices. An operation that an environment does not support is
/// an error.
pub trait Environment {
    /// The size of a copy of the environment in bytes, about.
    fn bytes(&self) -> usize {
        0
    }

    /// Starts a wave of a batch, or returns to one whose lanes emit more vertices. For each lane of the wave, `lanes` has the
    /// lane of the batch that it runs, `None` for helper lanes.
    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        let _ = lanes;
    }

    /// Samples a texture into red, green, blue, alpha (binary32).
    ///
    /// # Errors
    /// If no matching texture is bound, or the operation is not supported.
    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        let _ = texel;
        Err(absent(&sample.name()))
    }

    /// The textures that are bound, for a debugger: each with its number or address in words, such as `unit 0`.
    fn textures(&self) -> Vec<(String, &Texture)> {
        Vec::new()
    }

    /// Writes texels, in ascending order of lanes.
    ///
    /// # Errors
    /// If no matching texture is bound, or the texture may not be written.
    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        Err(absent(&store.name()))
    }

    /// Reads the bytes at `address` for one lane.
    ///
    /// # Errors
    /// If there is no memory at the address.
    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        let _ = (lane, address, bytes);
        Err(absent(&format!("{space:?} memory")))
    }

    /// Writes the bytes at `address` for one lane.
    ///
    /// # Errors
    /// If there is no memory at the address, or it may not be written.
    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        let _ = (lane, address, bytes);
        Err(absent(&format!("{space:?} memory")))
    }

    /// The memory in which all bytes of a lane's access are, and the address there; `None` if some are outside of it. A
    /// generic address may be one of shared or local memory. An environment that refuses what is outside, as most do, need
    /// not say so here.
    fn reached(&self, space: Space, _lane: usize, address: u64, _bytes: usize) -> Option<(Space, u64)> {
        Some((space, address))
    }

    /// Reads consecutive components for several lanes, in ascending order of lanes: one plane for each component, or
    /// two planes for a component of more than 4 bytes. The values of other lanes are undefined.
    ///
    /// # Errors
    /// As [`Environment::load`].
    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Result<(), Diagnostic> {
        load_each(self, access, planes)
    }

    /// Writes consecutive components, at most four, for several lanes, in ascending order of lanes: for each component
    /// the low and the high 32 bits of its value.
    ///
    /// # Errors
    /// As [`Environment::store`].
    fn store_lanes(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> Result<(), Diagnostic> {
        store_each(self, access, values)
    }

    /// Receives the outputs of a lane as a vertex.
    ///
    /// # Errors
    /// If the environment does not accept vertices.
    fn emit(&mut self, emission: Emission, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        let _ = (emission, outputs);
        Err(absent("a primitive assembler"))
    }

    /// Receives the outputs of a lane as its output vertex of a number, for a stream.
    ///
    /// # Errors
    /// If the environment does not accept vertices.
    fn emit_vertex(&mut self, vertex: u32, stream: u32, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        let _ = (vertex, stream, outputs);
        Err(absent("a primitive assembler"))
    }

    /// Ends the strip of a lane before its output vertex of a number.
    ///
    /// # Errors
    /// If the environment does not accept vertices.
    fn end_strip(&mut self, lane: usize, vertex: u32) -> Result<(), Diagnostic> {
        let _ = (lane, vertex);
        Err(absent("a primitive assembler"))
    }
}

/// An environment at a reference, such as one whose type is not known.
impl<E: Environment + ?Sized> Environment for &mut E {
    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        (**self).wave(lanes);
    }

    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        (**self).sample(sample, texel)
    }

    fn textures(&self) -> Vec<(String, &Texture)> {
        (**self).textures()
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        (**self).store_texel(store)
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        (**self).load(space, lane, address, bytes)
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        (**self).store(space, lane, address, bytes)
    }

    fn reached(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Option<(Space, u64)> {
        (**self).reached(space, lane, address, bytes)
    }

    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Result<(), Diagnostic> {
        (**self).load_lanes(access, planes)
    }

    fn store_lanes(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> Result<(), Diagnostic> {
        (**self).store_lanes(access, values)
    }

    fn emit(&mut self, emission: Emission, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        (**self).emit(emission, outputs)
    }

    fn emit_vertex(&mut self, vertex: u32, stream: u32, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        (**self).emit_vertex(vertex, stream, outputs)
    }

    fn end_strip(&mut self, lane: usize, vertex: u32) -> Result<(), Diagnostic> {
        (**self).end_strip(lane, vertex)
    }
}

/// [`Environment::load_lanes`], one lane at a time.
///
/// # Errors
/// As [`Environment::load`].
pub fn load_each<E: Environment + ?Sized>(
    environment: &mut E,
    access: &Access<'_>,
    planes: &mut [Plane],
) -> Result<(), Diagnostic> {
    let planes_each = access.bytes.div_ceil(4).max(1);
    let mut buffer = [0; MOST_BYTES];
    let count = planes.len() / planes_each * access.bytes;
    let bytes = buffer.get_mut(..count).ok_or_else(|| too_large(count))?;
    planes.fill(Plane::ZERO);
    for lane in each(access.lanes) {
        let (space, address) = located(access.space, joined(access.address, lane));
        environment.load(space, lane, address, bytes).map_err(|d| of_lane(d, lane))?;
        for (planes, component) in planes.chunks_mut(planes_each).zip(bytes.chunks(access.bytes.max(1))) {
            let bits = word(component);
            for (plane, half) in planes.iter_mut().zip([bits as u32, (bits >> 32) as u32]) {
                plane.0[lane] = half;
            }
        }
    }
    Ok(())
}

/// [`Environment::store_lanes`], one lane at a time.
///
/// # Errors
/// As [`Environment::store`].
pub fn store_each<E: Environment + ?Sized>(
    environment: &mut E,
    access: &Access<'_>,
    values: &[[&Plane; 2]],
) -> Result<(), Diagnostic> {
    each_stored(access, values, |lane, address, bytes| environment.store(access.space, lane, address, bytes))
}

/// Calls `f` with lane, address and bytes of each lane that stores these components.
pub(crate) fn each_stored(
    access: &Access<'_>,
    values: &[[&Plane; 2]],
    mut f: impl FnMut(usize, u64, &[u8]) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let mut buffer = [0; MOST_BYTES];
    let count = values.len() * access.bytes;
    let bytes = buffer.get_mut(..count).ok_or_else(|| too_large(count))?;
    for lane in each(access.lanes) {
        for (component, value) in bytes.chunks_mut(access.bytes.max(1)).zip(values) {
            component.iter_mut().zip(joined(*value, lane).to_le_bytes()).for_each(|(to, byte)| *to = byte);
        }
        f(lane, joined(access.address, lane), bytes).map_err(|d| of_lane(d, lane))?;
    }
    Ok(())
}

/// The space that an environment provides, and the address in it: of all constant banks, the one that the address
/// selects. Banks after the last number are that of the highest number, which no host provides.
pub fn located(space: Space, address: u64) -> (Space, u64) {
    match space {
        Space::Constants => {
            (Space::Constant(u8::try_from(address >> 16).unwrap_or(u8::MAX)), address & 0xffff)
        }
        _ => (space, address),
    }
}

/// The largest number of bytes that a lane accesses at once: four components of 8 bytes.
pub(crate) const MOST_BYTES: usize = 32;

/// Adds the lane to the error of a memory access.
#[cold]
pub(crate) fn of_lane(d: Diagnostic, lane: usize) -> Diagnostic {
    d.note(format!("in lane {lane}"))
}

/// The error for an access of more bytes than any operation has.
#[cold]
pub(crate) fn too_large(bytes: usize) -> Diagnostic {
    Diagnostic::internal(
        "internal-plan",
        format!("the evaluator's plan accesses {bytes} bytes of memory at once"),
    )
}

/// The error for an access of more values than any operation has.
#[cold]
pub(crate) fn too_many(values: usize) -> Diagnostic {
    Diagnostic::internal("internal-plan", format!("the evaluator's plan stores {values} values at once"))
}

/// The integer that at most eight bytes encode, little endian.
pub(crate) fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.iter_mut().zip(bytes).for_each(|(w, b)| *w = *b);
    u64::from_le_bytes(word)
}

pub(crate) fn absent(what: &str) -> Diagnostic {
    Diagnostic::error(
        "eval-no-environment",
        format!("the program needs {what}, which the host does not provide"),
    )
}

/// An environment without textures and memory, for programs that only compute.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEnvironment;

impl Environment for NoEnvironment {}
