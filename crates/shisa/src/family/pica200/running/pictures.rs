//! PICA200 vertex programs as pictures run them. Pixels are fixed functions, so there are no fragment programs.

use super::lines::{lines, name as register_name};
use super::{ShaderSet, registers, source};
use crate::{Result, Settings, error};
use shisa_debug::Captured;
use shisa_eval::NoEnvironment;
use shisa_ir::{Binding, Io, Mask, Name, Reg, Scalar, Stage, UniformArray};
use shisa_pica200::Symbol;
use shisa_pica200::container::{Dvle, OutputEntry, Shbin};
use shisa_pica200::upload::{constants, stored};
use shisa_pica200::{CONSTANTS, INPUTS, OUTPUTS, Options, Sequencer};
use shisa_pictures::{
    Around, Code, Constant, Counts, Image, Lanes, Ran, Result as Done, Shader, Slot, wrong,
};
use std::collections::{BTreeMap, BTreeSet};

/// The letters of inputs and of constants.
const INPUT: char = 'v';
const CONSTANT: char = 'c';
/// How many constants there are.
const MOST: u16 = 96;
/// The colour among the outputs.
const COLOR: Binding = Binding::Location(2);
/// Components of a register.
const COUNT: u16 = 4;

/// A program with its uniforms.
pub(super) struct Pica200Shader {
    stage: Stage,
    code: Code<Sequencer>,
    dvle: Dvle,
    uniforms: BTreeMap<Reg, Vec<u32>>,
    arrays: Vec<UniformArray>,
    /// The constants that have been set.
    set: BTreeSet<u16>,
    options: Options,
}

impl Pica200Shader {
    /// Prepares a program, with the uniforms of the first set of an input of `shisa run` for it.
    pub(super) fn new(
        file: &Shbin,
        number: usize,
        input: Option<&str>,
        settings: &Settings,
    ) -> Result<Pica200Shader> {
        let found = file.program(number).zip(file.programs.get(number));
        let (program, dvle) = found.ok_or_else(|| error::no_program(number + 1, file.programs.len()))?;
        let options = &settings.pica200.options;
        let lift = source(file, number, settings)?;
        let interface = shisa_pica200::interface(&program, &lift.lifted);
        let mut inputs = interface.inputs;
        for io in &mut inputs {
            if let Some(name) = name(dvle, INPUT, io.reg.unit / COUNT) {
                io.name = name;
            }
        }
        let outputs = dvle.outputs.iter().filter_map(output).collect();
        let start = (lift.sequencer, lift.entry);
        let code = Code::new(lift.lifted, start, lift.model, (inputs, outputs), &settings.limits)?;
        let code = code.listed(register_name, lines(file));
        let sets = input.map_or_else(|| Ok(Vec::new()), ShaderSet::from_json)?;
        let own = sets.iter().find(|set| set.program == number);
        let given = own.map(|set| set.uniforms.clone()).unwrap_or_default();
        let mut uniforms: BTreeMap<Reg, Vec<u32>> = BTreeMap::new();
        for (first, units) in given.registers() {
            let size = if first.file == CONSTANTS { COUNT } else { 1 };
            for (unit, units) in (first.unit..).step_by(size.into()).zip(units.chunks(size.into())) {
                let stored =
                    |bits: &u32| if first.file == CONSTANTS { stored(*bits, options) } else { *bits };
                uniforms.insert(Reg { unit, ..first }, units.iter().map(stored).collect());
            }
        }
        let is_given = |n: &u16| given.floats.get(usize::from(*n)).is_some_and(|value| *value != [0; 4]);
        let mut set: BTreeSet<u16> = (0..MOST).filter(is_given).collect();
        set.extend(constants(dvle, options).filter(|(bank, ..)| *bank == CONSTANTS).map(|(_, n, _)| n));
        for (first, units) in registers(constants(dvle, options)) {
            if first.file == CONSTANTS {
                uniforms.insert(first, units);
                continue;
            }
            for (unit, bits) in (first.unit..).zip(units) {
                uniforms.insert(Reg { unit, ..first }, vec![bits]);
            }
        }
        Ok(Pica200Shader {
            stage: program.stage,
            code,
            dvle: dvle.clone(),
            uniforms,
            arrays: interface.uniforms,
            set,
            options: *options,
        })
    }

    /// The inputs of lanes as the hardware stores them.
    fn inputs_of(&self, lanes: &Lanes<'_>) -> Vec<Vec<u32>> {
        let own = |(io, bits): (&Io, &Vec<u32>)| match io.reg.file {
            INPUTS => bits.iter().map(|bits| stored(*bits, &self.options)).collect(),
            _ => bits.clone(),
        };
        self.code.inputs().iter().zip(lanes.inputs).map(own).collect()
    }

    /// The uniforms with their first registers.
    fn uniforms(&self) -> Vec<(Reg, Vec<u32>)> {
        self.uniforms.iter().map(|(reg, bits)| (*reg, bits.clone())).collect()
    }

    /// The number of a constant by the name in the binary, such as `projection[1]`, or by its register.
    fn number(&self, text: &str) -> Option<u16> {
        let of_register = text.strip_prefix('c').and_then(|digits| digits.parse().ok());
        let named = || (0..MOST).find(|n| name(&self.dvle, CONSTANT, *n).is_some_and(|name| name == text));
        let first = || {
            let mut constants = self.dvle.symbols().filter(|symbol| symbol.bank == CONSTANT);
            constants.find(|symbol| symbol.name == text).map(|symbol| symbol.first)
        };
        of_register.or_else(named).or_else(first).filter(|n| *n < MOST)
    }
}

/// The name of a register in the binary, with its number if there are several of the name.
fn name(dvle: &Dvle, bank: char, number: u16) -> Option<Name> {
    let mut symbols = dvle.symbols().filter(|symbol| symbol.bank == bank && !symbol.name.is_empty());
    let Symbol { name, first, last, .. } =
        symbols.find(|symbol| (symbol.first..=symbol.last).contains(&number))?;
    Some(match first == last {
        true => name.to_owned().into(),
        false => format!("{name}[{}]", number - first).into(),
    })
}

/// An output by its meaning.
fn output(entry: &OutputEntry) -> Option<Io> {
    let (name, binding) = match entry.kind {
        0 => ("position", Binding::Position),
        1 => ("quaternion", Binding::Location(1)),
        2 => ("color", COLOR),
        3 => ("coordinates0", Binding::Location(3)),
        5 => ("coordinates1", Binding::Location(5)),
        6 => ("coordinates2", Binding::Location(6)),
        8 => ("view", Binding::Location(8)),
        _ => return None,
    };
    let first = entry.mask.trailing_zeros() as u16;
    let count = (entry.mask & 15).count_ones() as u8;
    (entry.register < 16 && count > 0).then(|| Io {
        name: name.into(),
        reg: Reg::new(OUTPUTS, COUNT * entry.register + first),
        scalar: Scalar::F32,
        count,
        used: Mask::first(count),
        binding,
    })
}

impl Shader for Pica200Shader {
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
        let own = self.arrays.iter().filter(|array| array.file == CONSTANTS);
        let constant = |number: u16| Constant {
            name: name(&self.dvle, CONSTANT, number).unwrap_or_else(|| format!("c{number}").into()),
            count: COUNT as u8,
            is_set: self.set.contains(&number),
        };
        own.flat_map(|array| array.used.iter().copied()).map(constant).collect()
    }

    fn textures(&self) -> Vec<Slot> {
        Vec::new()
    }

    fn set_constant(&mut self, name: &str, first: usize, values: &[f32]) -> Done<()> {
        let number = self.number(name).ok_or_else(|| {
            let name = shisa_diag::escape(name);
            wrong(format!("there is no constant `{name}`; constants are c0 to c{}, or have names", MOST - 1))
        })?;
        let reg = Reg::new(CONSTANTS, COUNT * number);
        let units = self.uniforms.entry(reg).or_insert_with(|| vec![0; COUNT.into()]);
        let slots = units.get_mut(first..).and_then(|slots| slots.get_mut(..values.len()));
        let slots = slots.ok_or_else(|| wrong(format!("{name} has {COUNT} components")))?;
        let options = &self.options;
        slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = stored(value.to_bits(), options));
        self.set.insert(number);
        Ok(())
    }

    fn set_texture(&mut self, name: &str, _: &Image) -> Done<()> {
        Err(wrong(format!("a vertex program reads no texture `{}`", shisa_diag::escape(name))))
    }

    /// The rasteriser takes z from -w to 0.
    fn has_negative_depth(&self) -> bool {
        true
    }

    fn run(&mut self, lanes: &Lanes<'_>, counts: Option<&mut Counts>) -> Done<Ran> {
        let inputs = self.inputs_of(lanes);
        let lanes = Lanes { inputs: &inputs, ..*lanes };
        let uniforms = self.uniforms();
        let around = Around { uniforms: &uniforms, ..Around::default() };
        let mut ran = self.code.run(&lanes, around, &mut NoEnvironment, counts).map_err(|d| vec![d])?;
        // The hardware takes the magnitude of a colour, up to 1.
        for (io, bits) in self.code.outputs().iter().zip(&mut ran.outputs) {
            if io.binding == COLOR {
                bits.iter_mut().for_each(|bits| *bits = f32::from_bits(*bits).abs().min(1.0).to_bits());
            }
        }
        Ok(ran)
    }

    fn captured(&mut self, lanes: &Lanes<'_>) -> Done<Captured> {
        let inputs = self.inputs_of(lanes);
        let lanes = Lanes { inputs: &inputs, ..*lanes };
        let uniforms = self.uniforms();
        let around = Around { uniforms: &uniforms, ..Around::default() };
        let run = self.code.captured(&lanes, around, NoEnvironment).map_err(|d| vec![d])?;
        let symbols = self.dvle.symbols();
        Ok(run.named(symbols.map(|s| (s.name.to_owned(), format!("{}{}", s.bank, s.first)))))
    }
}
