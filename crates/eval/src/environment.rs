//! What lies outside of a wave: textures, memory, and whoever takes emitted vertices.

use crate::{Plane, Program, execute::word, wave::each};
use shisa_diag::Diagnostic;
use shisa_ir::{Lanes, Reg, Space, TexOp, TextureRef, WAVE};

/// A texture operation of a wave.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The operation. An operand is the planes of its components, which are binary32 or integers of 32 bits, and
    /// others behind them; a handle of 64 bits is its low and its high half.
    pub op: TexOp<[&'a Plane; 4]>,
    /// Whether lanes 4k to 4k + 3 are a quad. Otherwise coordinates do not change from lane to lane and
    /// the computed level is 0.
    pub quads: bool,
    /// The lanes whose result is used, or that write. Coordinates are computed in all lanes.
    pub lanes: Lanes,
}

impl Sample<'_> {
    /// What it names, for messages.
    fn name(&self) -> String {
        match self.op.texture {
            TextureRef::Unit(n) => format!("texture {n}"),
            TextureRef::Numbered(_) => "a texture of a computed number".into(),
            TextureRef::Handle(_) => "a texture at an address".into(),
        }
    }
}

/// What the next emitted vertex is for (geometry stage).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Emission {
    /// Slot that takes the outputs.
    pub vertex: u8,
    /// Whether the slots then make a triangle.
    pub primitive: bool,
    /// Whether its winding is flipped.
    pub flip: bool,
}

/// The registers of one lane.
#[derive(Debug)]
pub struct LaneView<'a> {
    pub(crate) program: &'a Program<'a>,
    pub(crate) planes: &'a mut [Plane],
    pub(crate) lane: usize,
}

impl LaneView<'_> {
    /// The lane's number in its wave.
    pub fn lane(&self) -> usize {
        self.lane
    }

    /// One unit of a register; zero where there is none.
    pub fn register(&self, reg: Reg) -> u32 {
        let plane = self.program.layout.plane(reg).and_then(|p| self.planes.get(p as usize));
        plane.map_or(0, |p| p.get(self.lane))
    }

    /// Changes one unit of a register; bits beyond its width must be zero. There is no change where there
    /// is no register. Observers are not told.
    pub fn set(&mut self, reg: Reg, bits: u32) {
        let plane = self.program.layout.plane(reg).and_then(|p| self.planes.get_mut(p as usize));
        if let Some(slot) = plane.and_then(|p| p.0.get_mut(self.lane)) {
            *slot = bits;
        }
    }
}

/// Memory that the lanes of a wave access at once.
#[derive(Debug)]
pub struct Access<'a> {
    /// Which memory.
    pub space: Space,
    /// The lanes that access it.
    pub lanes: Lanes,
    /// Low and high half of the byte address.
    pub address: [&'a Plane; 2],
    /// Bytes of a component, at most 8.
    pub bytes: usize,
}

impl Access<'_> {
    /// A lane's address.
    pub fn at(&self, lane: usize) -> u64 {
        let [low, high] = self.address.map(|half| u64::from(half.get(lane)));
        low | high << 32
    }
}

/// Serves what operations ask of the outside. What an environment does not serve is a diagnostic.
pub trait Environment {
    /// A wave of a batch begins: for each of its lanes the lane of the batch that it stands for, `None` for helpers.
    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        let _ = lanes;
    }

    /// Samples a texture into red, green, blue, alpha (binary32).
    ///
    /// # Errors
    /// When nothing fitting is bound, or the operation is not supported.
    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        let _ = texel;
        Err(absent(&sample.name()))
    }

    /// Writes texels, those of the first lane first.
    ///
    /// # Errors
    /// When nothing fitting is bound, or it may not be written.
    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        Err(absent(&store.name()))
    }

    /// Reads the bytes at `address` for one lane.
    ///
    /// # Errors
    /// When no memory is there.
    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        let _ = (lane, address, bytes);
        Err(absent(&format!("{space:?} memory")))
    }

    /// Writes the bytes at `address` for one lane.
    ///
    /// # Errors
    /// When no memory is there or it may not be written.
    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        let _ = (lane, address, bytes);
        Err(absent(&format!("{space:?} memory")))
    }

    /// Reads components that lie one behind the other for several lanes, the first lane first: a plane each, or
    /// two where they have more than 4 bytes. What other lanes get means nothing.
    ///
    /// # Errors
    /// As [`Environment::load`].
    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Result<(), Diagnostic> {
        load_each(self, access, planes)
    }

    /// Writes a component for several lanes, the first lane first, given the low and high half of its bits.
    ///
    /// # Errors
    /// As [`Environment::store`].
    fn store_lanes(&mut self, access: &Access<'_>, values: [&Plane; 2]) -> Result<(), Diagnostic> {
        store_each(self, access, values)
    }

    /// Takes the outputs of a lane as a vertex. Where an emission changes registers (double-banked
    /// outputs), it changes those of an instruction that writes them somewhere in the program.
    ///
    /// # Errors
    /// When nobody takes vertices.
    fn emit(&mut self, emission: Emission, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        let _ = (emission, outputs);
        Err(absent("a primitive assembler"))
    }
}

/// [`Environment::load_lanes`] lane by lane.
pub(crate) fn load_each<E: Environment + ?Sized>(
    environment: &mut E,
    access: &Access<'_>,
    planes: &mut [Plane],
) -> Result<(), Diagnostic> {
    let planes_each = access.bytes.div_ceil(4).max(1);
    planes.fill(Plane::ZERO);
    for lane in each(access.lanes) {
        let mut bytes = [0; 32];
        let count = (planes.len() / planes_each * access.bytes).min(bytes.len());
        let bytes = bytes.get_mut(..count).unwrap_or_default();
        environment.load(access.space, lane, access.at(lane), bytes)?;
        for (planes, component) in planes.chunks_mut(planes_each).zip(bytes.chunks(access.bytes.max(1))) {
            let bits = word(component);
            for (plane, half) in planes.iter_mut().zip([bits as u32, (bits >> 32) as u32]) {
                plane.0[lane] = half;
            }
        }
    }
    Ok(())
}

/// [`Environment::store_lanes`] lane by lane.
pub(crate) fn store_each<E: Environment + ?Sized>(
    environment: &mut E,
    access: &Access<'_>,
    values: [&Plane; 2],
) -> Result<(), Diagnostic> {
    for lane in each(access.lanes) {
        let [low, high] = values.map(|half| u64::from(half.get(lane)));
        let bytes = (low | high << 32).to_le_bytes();
        let bytes = bytes.get(..access.bytes).unwrap_or_default();
        environment.store(access.space, lane, access.at(lane), bytes)?;
    }
    Ok(())
}

pub(crate) fn absent(what: &str) -> Diagnostic {
    Diagnostic::error("eval-no-environment", format!("the program needs {what}, and none was given"))
}

/// An environment with nothing in it, for programs that only compute.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEnvironment;

impl Environment for NoEnvironment {}
