//! Maxwell programs as pictures run them.

use super::launched::KernelRun;
use super::lines::{lines, name};
use super::memory::Memory;
use super::stage::{StageCode, pixel_registers, special_registers};
use super::stage_json::Input;
use crate::{Result, Settings};
use shisa_debug::Captured;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{FloatModel, Io, Lifted, Name, Op, Space, Stage, Texture, Value};
use shisa_maxwell::launch::BANK;
use shisa_maxwell::{PIXEL, Program, Sequencer, bundle};
use shisa_pictures::{
    Around, Code, Constant, Counts, Image, Lanes, Ran, Result as Done, Shader, Slot, no_texture, wrong,
};
use std::collections::BTreeSet;

/// Components of a constant.
const COUNT: usize = 4;
/// Bytes of a constant: four words.
const ROW: usize = 4 * COUNT;
/// The bank whose contents the driver provides.
const OF_DRIVER: u8 = 0;

/// A program with its constants and textures.
pub(super) struct MaxwellShader {
    stage: Stage,
    code: Code<Sequencer>,
    run: KernelRun,
    /// The bank and the row of constants that instructions name.
    rows: BTreeSet<(u8, usize)>,
    /// Those that have been set.
    set: BTreeSet<(u8, usize)>,
    slots: Vec<Texture>,
    limits: Limits,
}

impl MaxwellShader {
    /// Prepares a program, with the constants and resources of an input of `shisa run`.
    pub(super) fn new(code: StageCode, settings: &Settings) -> Result<MaxwellShader> {
        let limits = &settings.limits;
        let StageCode { drawing, mut run, lifted } = code;
        let program = Program {
            stage: StageCode::stage_of(&drawing),
            code: Vec::new(),
            workgroup: [1; 3],
            drawing: Some(drawing),
        };
        let interface = shisa_maxwell::interface(&program, &lifted);
        let mut inputs = interface.inputs;
        // Registers of pixels are the same for all lanes.
        inputs.retain(|io| io.reg.file != PIXEL);
        let rows: BTreeSet<(u8, usize)> = rows(&lifted).collect();
        let banks = banks(&lifted);
        let is_given =
            |bank: u8, at: usize| run.kernel.banks.get(&bank).is_some_and(|bytes| at < bytes.len());
        let set = rows.iter().copied().filter(|(bank, row)| is_given(*bank, row * ROW)).collect();
        for bank in banks {
            run.kernel.banks.entry(bank).or_default();
        }
        let sequencer = (Sequencer, bundle::address(0));
        let code = Code::new(lifted, sequencer, FloatModel::F32, (inputs, interface.outputs), limits)?;
        let code = code.listed(name, lines(&run.kernel.code, settings.maxwell.chip.unwrap_or_default()));
        Ok(MaxwellShader {
            stage: program.stage,
            code,
            run,
            rows,
            set,
            slots: interface.textures,
            limits: limits.clone(),
        })
    }

    /// Runs code with the registers and the memory of its stage.
    fn with_memory<T>(
        &self,
        run: impl FnOnce(&Code<Sequencer>, Around<'_>, Memory) -> std::result::Result<T, Diagnostic>,
    ) -> Done<T> {
        let uniforms = match self.stage {
            Stage::Fragment => pixel_registers(1),
            _ => Vec::new(),
        };
        let by_lane = special_registers(&self.run.launch, 1);
        let around = Around { uniforms: &uniforms, by_lane: &by_lane };
        let memory = Memory::new(&self.run, &self.limits);
        memory.and_then(|memory| run(&self.code, around, memory)).map_err(|d| vec![d])
    }
}

/// The constant that an address names, if it is known.
fn known(lifted: &Lifted, address: Value) -> Option<usize> {
    match lifted.nodes.op(address) {
        Op::Const(bits) => usize::try_from(bits).ok(),
        Op::Convert { a, .. } => known(lifted, a),
        _ => None,
    }
}

/// The banks of constants that a program reads, without that of the driver.
fn banks(lifted: &Lifted) -> BTreeSet<u8> {
    let bank = |op: &Op| match op {
        Op::Load { space: Space::Constant(bank), .. } if *bank != OF_DRIVER => Some(*bank),
        _ => None,
    };
    lifted.nodes.list.iter().filter_map(|node| bank(&node.op)).collect()
}

/// The bank and the row of all constants that instructions name.
fn rows(lifted: &Lifted) -> impl Iterator<Item = (u8, usize)> + '_ {
    let row = |op: &Op| match op {
        Op::Load { space: Space::Constant(bank), address } if *bank != OF_DRIVER => {
            Some((*bank, known(lifted, *address).filter(|at| *at < BANK)? / ROW))
        }
        _ => None,
    };
    lifted.nodes.list.iter().filter_map(move |node| row(&node.op))
}

/// The bank and the offset of a name such as `c[0x3][0x10]`.
fn named(name: &str) -> Done<(u8, usize)> {
    let number = |text: &str| {
        let digits = text.strip_prefix("0x");
        digits.map_or_else(|| text.parse().ok(), |digits| usize::from_str_radix(digits, 16).ok())
    };
    let parts = name
        .strip_prefix("c[")
        .and_then(|rest| rest.strip_suffix(']'))
        .and_then(|rest| rest.split_once("]["));
    let found = parts.and_then(|(bank, at)| Some((u8::try_from(number(bank)?).ok()?, number(at)?)));
    found.filter(|(_, at)| at.is_multiple_of(4)).ok_or_else(|| {
        let name = shisa_diag::escape(name);
        wrong(format!(
            "`{name}` is not a constant; names are such as c[0x3][0x10], at multiples of four bytes"
        ))
    })
}

impl Shader for MaxwellShader {
    fn stage(&self) -> Stage {
        self.stage
    }

    fn inputs(&self) -> &[Io] {
        self.code.inputs()
    }

    fn outputs(&self) -> &[Io] {
        self.code.outputs()
    }

    fn constants(&self) -> Vec<Constant> {
        let constant = |(bank, row): &(u8, usize)| Constant {
            name: Name::from(format!("c[{bank:#x}][{:#x}]", row * ROW)),
            count: COUNT as u8,
            is_set: self.set.contains(&(*bank, *row)),
        };
        self.rows.iter().map(constant).collect()
    }

    fn textures(&self) -> Vec<Slot> {
        let bound = |t: &Texture| self.run.textures.get(t.unit).is_some();
        self.slots.iter().map(|t| Slot { name: t.name.clone(), is_set: bound(t) }).collect()
    }

    fn set_constant(&mut self, name: &str, first: usize, values: &[f32]) -> Done<()> {
        let (bank, at) = named(name)?;
        let start = first.checked_mul(4).and_then(|by| at.checked_add(by));
        let end = start.and_then(|start| start.checked_add(4 * values.len())).filter(|end| *end <= BANK);
        let (Some(start), Some(end)) = (start, end) else {
            return Err(wrong(format!("{name} is past the end of a bank, which has {BANK} bytes")));
        };
        let bytes = self.run.kernel.banks.entry(bank).or_default();
        bytes.resize(bytes.len().max(end), 0);
        let words = bytes.get_mut(start..end).map(|words| words.as_chunks_mut::<4>().0);
        words.into_iter().flatten().zip(values).for_each(|(word, value)| *word = value.to_le_bytes());
        self.set.extend((start / ROW..end.div_ceil(ROW)).map(|row| (bank, row)));
        Ok(())
    }

    fn set_texture(&mut self, name: &str, image: &Image) -> Done<()> {
        let slot = self.slots.iter().find(|slot| slot.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.slots.iter().map(|slot| &*slot.name).collect();
            no_texture(name, &names)
        })?;
        let texture = image.texture(slot.shape, &self.limits)?;
        self.run.textures.bind(slot.unit, texture, Image::SAMPLER, &self.limits).map_err(|d| vec![d])
    }

    fn run(&mut self, lanes: &Lanes<'_>, counts: Option<&mut Counts>) -> Done<Ran> {
        self.with_memory(|code, around, mut memory| code.run(lanes, around, &mut memory, counts))
    }

    fn captured(&mut self, lanes: &Lanes<'_>) -> Done<Captured> {
        self.with_memory(|code, around, memory| code.captured(lanes, around, memory))
    }
}

/// A program of a graphics stage with an input, or without one.
pub(super) fn code(
    program: Option<&super::super::stages::GraphicsProgram>,
    input: Option<&str>,
    settings: &Settings,
) -> Result<StageCode> {
    let program = program.ok_or_else(|| {
        let text = "the program is not one of a graphics stage: it has no Shader Program Header";
        Diagnostic::error("picture-stage", text)
    })?;
    let input = match input {
        Some(text) => Input::of_text(text)?,
        None => Input::default(),
    };
    StageCode::new(program.drawing, input.run(program.kernel.clone(), &program.drawing, settings)?)
}
