//! Runs a program and observes what its instruction does.

use super::setting::{BANK, RESULT_BUFFER, Setting};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{
    Access, Clock, Dispatch, Environment, Format, LaneView, Machine, Observer, Plane, Position, Sample, Size,
    Texture, TextureSet, Touch, Wave, Waves, Workplace, Workspace,
};
use shisa_ir::{Dim, Lanes, Lifted, Op, Reg, Sampler, Shape, Space, Stage, TextureRef, WAVE};
use shisa_maxwell::flow::Turn;
use shisa_maxwell::launch::{Launch, Place};
use shisa_maxwell::role::Role;
use shisa_maxwell::sequencer::State;
use shisa_maxwell::{
    ATTRIBUTES, CLOCKS, Drawing, FILES, Maxwell, Program, SPECIALS, Sequencer, bundle, lift, special_value,
};
use shisa_rows::Insn;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of shared memory of the workgroup, and of each lane's own.
pub(super) const SHARED: u32 = 1 << 16;
pub(super) const LOCAL: u32 = 1 << 17;
/// Bytes of a buffer.
const BUFFER: u64 = 0x1000;
/// The number of the texture whose handle a register holds.
const OF_HANDLES: u16 = u16::MAX;
const ALL: Lanes = Lanes::MAX;

/// Memory, textures, and a consumer of vertices.
struct Surroundings<'a> {
    space: Workspace,
    textures: TextureSet,
    bound: BTreeSet<u64>,
    format: Format,
    setting: &'a Setting,
    /// A word of a constant bank other than [`BANK`].
    word: u32,
    /// Whether memory has all addresses.
    boundless: bool,
    /// Lanes that sampled, that emitted a vertex, and that ended a strip.
    sampled: Lanes,
    emitted: Lanes,
    ended: Lanes,
    /// Constants that were read from other banks.
    constants: Vec<(u8, u32)>,
}

impl<'a> Surroundings<'a> {
    fn new(setting: &'a Setting, format: Format, word: u32) -> Surroundings<'a> {
        let limits = Limits::default();
        let mut space = Workspace::new(SHARED as usize, LOCAL as usize, 0, &limits).unwrap();
        space.add(RESULT_BUFFER, vec![0; BUFFER as usize]).unwrap();
        Surroundings {
            space,
            textures: TextureSet::new(),
            bound: BTreeSet::new(),
            format,
            setting,
            word,
            boundless: false,
            sampled: 0,
            emitted: 0,
            ended: 0,
            constants: Vec::new(),
        }
    }

    /// Binds a texture of the shape that an operation has to the number or the handle that it names.
    fn bind(&mut self, sample: &Sample<'_>) -> Result<(), Diagnostic> {
        let op = &sample.op;
        let (key, unit) = match op.texture {
            TextureRef::Unit(n) => (u64::from(n), Some(n)),
            TextureRef::Handle([low, high, ..]) => (u64::from(low.0[0]) | u64::from(high.0[0]) << 32, None),
            TextureRef::Numbered(_) => return Ok(()),
        };
        if !self.bound.insert(key) {
            return Ok(());
        }
        let texture = texture(self.format, op.shape)?;
        match unit {
            Some(n) => self.textures.bind(n, texture, Sampler::default(), &Limits::default()),
            None => {
                // Only a texture with a number has bits.
                self.textures.alias(key, OF_HANDLES);
                self.textures.bind(OF_HANDLES, texture, Sampler::default(), &Limits::default())
            }
        }
    }

    fn constant(&mut self, bank: u8, address: u64, bytes: &mut [u8]) {
        if bank != BANK {
            self.constants.push((bank, address as u32));
        }
        for (i, byte) in bytes.iter_mut().enumerate() {
            let word = match self.setting.bank.get(&((address as u32 + i as u32) & !3)) {
                Some(word) if bank == BANK => *word,
                _ => self.word,
            };
            *byte = word.to_le_bytes()[i & 3];
        }
    }
}

/// A texture of a shape.
fn texture(format: Format, shape: Shape) -> Result<Texture, Diagnostic> {
    let only = |yes: bool, n: usize| if yes { n } else { 1 };
    let size = Size {
        width: 4,
        height: only(shape.dim != Dim::D1, 4),
        depth: only(shape.dim == Dim::D3, 2),
        layers: only(shape.arrayed, 2),
        samples: only(shape.multisampled, 4),
    };
    let slices = size.depth * size.layers * size.samples * only(shape.dim == Dim::Cube, 6);
    let slice = vec![0x3c; format.bytes(size.width, size.height)];
    Texture::shaped(format, shape, size, &[vec![slice; slices]], &Limits::default())
}

type Done = Result<(), Diagnostic>;

impl Environment for Surroundings<'_> {
    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Done {
        self.sampled |= sample.lanes;
        self.bind(sample)?;
        self.textures.sample(sample, texel)
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Done {
        self.bind(store)?;
        self.textures.store_texel(store)
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Done {
        match space {
            Space::Constant(bank) => self.constant(bank, address, bytes),
            Space::Texels => return self.textures.load(space, lane, address, bytes),
            _ if self.boundless => bytes.fill(0),
            _ => {
                let address = placed(space, address, bytes.len())?;
                return self.space.load(space, lane, address, bytes);
            }
        }
        Ok(())
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Done {
        match space {
            Space::Texels => self.textures.store(space, lane, address, bytes),
            _ if self.boundless => Ok(()),
            _ => {
                let address = placed(space, address, bytes.len())?;
                self.space.store(space, lane, address, bytes)
            }
        }
    }

    fn emit_vertex(&mut self, _: u32, _: u32, outputs: LaneView<'_>) -> Done {
        self.emitted |= 1 << outputs.lane();
        Ok(())
    }

    fn end_strip(&mut self, lane: usize, _: u32) -> Done {
        self.ended |= 1 << lane;
        Ok(())
    }
}

impl Workplace for Surroundings<'_> {
    fn begin(&mut self) {
        self.space.begin();
    }

    fn enter(&mut self, number: u32) {
        self.space.enter(number);
    }
}

/// The address at which a workspace has an address. Accesses must be aligned to their size.
fn placed(space: Space, address: u64, bytes: usize) -> Result<u64, Diagnostic> {
    if !address.is_multiple_of(bytes.next_power_of_two() as u64) {
        return Err(Diagnostic::error("maxwell-run-misaligned", format!("{bytes} bytes at {address:#x}")));
    }
    // A workspace counts a lane's own memory downwards from its end.
    Ok(match space {
        Space::Local => u64::from((address as u32).wrapping_sub(LOCAL)),
        _ => address,
    })
}

/// What the instruction did.
#[derive(Debug, Default)]
pub(super) struct Seen {
    at: usize,
    now: usize,
    /// The lanes that ran it, and those that ran the instruction at which control has to arrive.
    ran: Lanes,
    arrived: Lanes,
    arrives: Option<usize>,
    written: BTreeMap<Reg, Lanes>,
    loads: Lanes,
    stores: Lanes,
    atomics: Lanes,
    texels: Lanes,
    waits: bool,
    /// Lane-instructions.
    steps: u64,
    last: usize,
    /// The first access: its space, its address and its bytes.
    access: Option<(Space, u64, u64)>,
}

impl Observer<State> for Seen {
    fn step(&mut self, index: usize, active: Lanes, _: &Position<State>) {
        self.now = index;
        self.steps += u64::from(active.count_ones());
        self.last = index;
        if index == self.at {
            self.ran |= active;
        }
        if Some(index) == self.arrives {
            self.arrived |= active;
        }
    }

    fn write(&mut self, reg: Reg, lanes: Lanes, _: &Plane, _: &Plane) {
        if self.now == self.at {
            *self.written.entry(reg).or_default() |= lanes;
        }
    }

    fn access(&mut self, touch: Touch, access: &Access<'_>, count: usize) {
        if self.now != self.at {
            return;
        }
        match touch {
            Touch::Load => self.loads |= access.lanes,
            Touch::Store => self.stores |= access.lanes,
            Touch::Atomic => self.atomics |= access.lanes,
        }
        if !matches!(access.space, Space::Constant(_) | Space::Constants | Space::Texels)
            && self.access.is_none()
        {
            self.access = access.at(0).map(|at| (access.space, at, (access.bytes * count) as u64));
        }
    }

    fn arrive(&mut self, _: &shisa_eval::Arrived, _: &Position<State>) {
        self.waits |= self.now == self.at;
    }

    fn texel(&mut self, store: &Sample<'_>) {
        if self.now == self.at {
            self.texels |= store.lanes;
        }
    }
}

/// A program that is lifted.
pub(super) struct Lift {
    pub(super) program: Program,
    lifted: Lifted,
}

impl Lift {
    pub(super) fn new(setting: &Setting, drawing: Option<Drawing>) -> Result<Lift, Vec<Diagnostic>> {
        let stage = drawing.map_or(Stage::Compute, |drawing| drawing.stage);
        let program = Program { stage, code: setting.code.clone(), workgroup: [WAVE as u32, 1, 1], drawing };
        let lifted = lift(&program)?;
        Ok(Lift { program, lifted })
    }

    /// Where the instruction accesses memory, or where it goes; and the constants that it reads of banks other than
    /// [`BANK`], whose words are `word`.
    pub(super) fn probe(&self, setting: &Setting, word: u32) -> Result<(Probed, Vec<(u8, u32)>), Diagnostic> {
        let plan = shisa_eval::Program::new(&self.lifted, &Limits::default())?;
        let mut machine = Machine::new(&plan, &Sequencer, bundle::address(0), ALL);
        let mut around =
            Surroundings { boundless: true, ..Surroundings::new(setting, Format::Rgba32Ui, word) };
        let mut seen = Seen { at: setting.at, ..Seen::default() };
        self.load(&mut machine, [0; 3], &Launch::default());
        // Where a mark is, shows what leaves to it.
        let leaves = u32::from(matches!(setting.turn, Turn::Push(_)));
        for _ in 0..=setting.at as u32 + leaves {
            machine.step(&mut around, &mut seen)?;
        }
        let probed = match (seen.access, machine.at()) {
            (Some((space, at, bytes)), _) => Probed::Memory(space, at, bytes),
            (None, shisa_ir::At::Step(pc)) if self.lifted.steps[setting.at].control.place.is_some() => {
                Probed::Target(pc)
            }
            _ => Probed::Nothing,
        };
        Ok((probed, around.constants))
    }

    fn load(&self, machine: &mut Machine<'_, Sequencer>, block: [u32; 3], launch: &Launch) {
        let drawn = self.program.drawing.is_some();
        for number in 0..=u8::MAX {
            let place = |lane: u32| Place {
                block,
                thread: [lane, 0, 0],
                lane,
                vertices: 3,
                y_direction: if drawn { 1f32.to_bits() } else { 0 },
                ..Place::default()
            };
            if let Some(plane) = machine.plane_mut(Reg::new(SPECIALS, number.into())) {
                *plane =
                    Plane(core::array::from_fn(|lane| special_value(number, launch, &place(lane as u32))));
            }
        }
        for unit in 0..4 * shisa_maxwell::COMPONENTS {
            if let Some(plane) = machine.plane_mut(Reg::new(ATTRIBUTES, unit)) {
                *plane = Plane::splat(1f32.to_bits());
            }
        }
    }

    /// Runs the program, and compares what the instruction did with what its lift states.
    pub(super) fn run(
        &self,
        setting: &Setting,
        insn: &Insn<Maxwell>,
        (probed, format, word): (Probed, Format, u32),
    ) -> Result<(), String> {
        let text = |d: Diagnostic| d.code.to_string();
        let limits = Limits::default();
        let plan = shisa_eval::Program::new(&self.lifted, &limits).map_err(text)?;
        let mut around = Surroundings::new(setting, format, word);
        if let Probed::Memory(Space::Global, at, _) = probed {
            around.space.add(at & !(BUFFER - 1), vec![0; 2 * BUFFER as usize]).map_err(text)?;
        }
        let mut seen = Seen { at: setting.at, arrives: setting.landing, ..Seen::default() };
        let launch = Launch { block: [WAVE as u32, 1, 1], grid: [1; 3], ..Launch::default() };
        let killed = if self.program.drawing.is_some() {
            let mut machine = Machine::new(&plan, &Sequencer, bundle::address(0), ALL);
            self.load(&mut machine, [0; 3], &launch);
            machine.run(&mut around, &mut seen, &limits).map_err(text)?;
            machine.killed()
        } else {
            let dispatch = Dispatch { entry: bundle::address(0), threads: [32, 1, 1], workgroup: [32, 1, 1] };
            let clocks = CLOCKS.map(|c| Clock { low: c.low, high: c.high, unit: c.unit });
            let load = |machine: &mut Machine<'_, _>, wave: &Wave| {
                machine.set_clocks(&clocks);
                self.load(machine, wave.group, &launch);
                Ok(())
            };
            let executed =
                dispatch.run(&mut Waves::new(&plan, &Sequencer), &mut around, &mut seen, &limits, load);
            let executed = executed.map_err(text)?;
            if executed != seen.steps {
                return Err(format!("{executed} instructions are counted, {} were seen", seen.steps));
            }
            0
        };
        self.judge(&seen, &around, insn, killed)
    }

    /// Compares what the instruction did with what its lift states.
    fn judge(
        &self,
        seen: &Seen,
        around: &Surroundings<'_>,
        insn: &Insn<Maxwell>,
        killed: Lanes,
    ) -> Result<(), String> {
        let wrong = |what: &str| Err(what.to_string());
        if seen.ran != ALL {
            return wrong("not all lanes run it");
        }
        if seen.arrives.is_some() && seen.arrived != ALL {
            return wrong("control does not arrive");
        }
        if seen.arrives.is_none() && insn.form().attr.turn != Turn::Next && seen.last != seen.at {
            return wrong("the program goes on after its end");
        }
        for node in self.lifted.steps[seen.at].nodes.clone() {
            let fault = match self.lifted.nodes.list[node as usize].op {
                Op::Write { reg, mask, value } => {
                    let units = FILES[usize::from(reg.file.0)].units_of(self.lifted.nodes.ty(value).scalar);
                    let mut units = mask.iter().flat_map(|c| {
                        (0..units).map(move |u| Reg::new(reg.file, reg.unit + u16::from(c * units + u)))
                    });
                    let missing = |reg: &Reg| seen.written.get(reg) != Some(&ALL);
                    units.any(|reg| missing(&reg)).then_some("a register is not written")
                }
                Op::Load { space: Space::Constant(_) | Space::Constants, .. } => None,
                Op::Load { .. } => (seen.loads != ALL).then_some("nothing is loaded"),
                Op::Store { .. } => (seen.stores != ALL).then_some("nothing is stored"),
                Op::Atomic { .. } => (seen.atomics != ALL).then_some("nothing is changed"),
                Op::Texture(_) => (around.sampled != ALL).then_some("nothing is sampled"),
                Op::TextureStore(_) => (seen.texels != ALL).then_some("no texel is stored"),
                Op::Barrier | Op::Arrive { .. } => (!seen.waits).then_some("there is no barrier"),
                Op::Kill { .. } => (killed != ALL).then_some("no lane is discarded"),
                _ => None,
            };
            if let Some(fault) = fault {
                return wrong(fault);
            }
        }
        if let Role::Emit(emission) = insn.form().attr.role {
            let emission = emission(insn);
            if emission.emits && around.emitted != ALL {
                return wrong("no vertex is emitted");
            }
            if emission.cuts && around.ended != ALL {
                return wrong("no strip ends");
            }
        }
        Ok(())
    }
}

/// What an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Probed {
    Nothing,
    /// So many bytes at an address.
    Memory(Space, u64, u64),
    /// Code at an address.
    Target(u32),
}
