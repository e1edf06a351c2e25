//! AGAL programs as pictures run them.

use super::{OUTPUT_NAMES, RunInput, lines, recorder, register, textures, uniforms};
use crate::{Result, Settings};
use shisa_agal::{Program, RegType, Sequencer};
use shisa_debug::Captured;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::TextureSet;
use shisa_ir::{FloatModel, Io, Reg, Stage, Texture, UniformArray};
use shisa_pictures::{
    Around, Code, Constant, Counts, Image, Lanes, Ran, Result as Done, Shader, Slot, no_texture, wrong,
};
use std::collections::{BTreeMap, BTreeSet};

/// A program with its constants and textures.
pub(super) struct AgalShader {
    program: Program,
    code: Code<Sequencer>,
    constants: BTreeMap<Reg, Vec<u32>>,
    arrays: Vec<UniformArray>,
    textures: TextureSet,
    slots: Vec<Texture>,
    limits: Limits,
}

impl AgalShader {
    /// Prepares a program, with the constants and textures of an input of `shisa run`.
    pub(super) fn new(program: &Program, input: Option<&str>, settings: &Settings) -> Result<AgalShader> {
        let limits = &settings.limits;
        let lifted = shisa_agal::lift(program, &settings.agal)?;
        let interface = shisa_agal::interface(program, &lifted);
        let sequencer = Sequencer::new(program, limits);
        let ports = (interface.inputs, interface.outputs);
        let code = Code::new(lifted, (sequencer, 0), FloatModel::F32, ports, limits)?;
        let code = code.listed(recorder::name, lines::lines(program, &settings.agal));
        let input = input.map_or_else(|| Ok(RunInput::new(1)), RunInput::from_json)?;
        Ok(AgalShader {
            program: program.clone(),
            code,
            constants: uniforms(program, &input)?.into_iter().collect(),
            arrays: interface.uniforms,
            textures: textures(program, &input, settings)?,
            slots: interface.textures,
            limits: limits.clone(),
        })
    }

    /// The name of a constant.
    fn name(&self, number: u16) -> shisa_ir::Name {
        let kind = RegType::CONSTANT;
        let beyond = || format!("{}{number}", kind.name(self.program.stage).unwrap_or("c")).into();
        kind.register(number, self.program.stage).map_or_else(beyond, Into::into)
    }
}

/// The error for a name that is no register.
fn as_input(e: crate::Error) -> Vec<Diagnostic> {
    e.diagnostics.into_iter().flat_map(|d| wrong(d.message)).collect()
}

impl Shader for AgalShader {
    fn stage(&self) -> Stage {
        self.program.stage
    }

    fn inputs(&self) -> &[Io] {
        self.code.inputs()
    }

    fn outputs(&self) -> &[Io] {
        self.code.outputs()
    }

    fn constants(&self) -> Vec<Constant> {
        let used: BTreeSet<u16> = self.arrays.iter().flat_map(|array| array.used.iter().copied()).collect();
        let constant = |number: u16| Constant {
            name: self.name(number),
            count: 4,
            is_set: self.constants.contains_key(&Reg::new(RegType::CONSTANT.file(), 4 * number)),
        };
        used.into_iter().map(constant).collect()
    }

    fn textures(&self) -> Vec<Slot> {
        let slot = |t: &Texture| Slot { name: t.name.clone(), is_set: self.textures.get(t.unit).is_some() };
        self.slots.iter().map(slot).collect()
    }

    fn set_constant(&mut self, name: &str, first: usize, values: &[f32]) -> Done<()> {
        let (kind, number) = register(&self.program, name, &[RegType::CONSTANT]).map_err(as_input)?;
        let slots = self.constants.entry(Reg::new(kind.file(), 4 * number)).or_insert_with(|| vec![0; 4]);
        let slots = slots.get_mut(first..).and_then(|slots| slots.get_mut(..values.len()));
        let slots = slots.ok_or_else(|| wrong(format!("{name} has 4 components")))?;
        slots.iter_mut().zip(values).for_each(|(slot, value)| *slot = value.to_bits());
        Ok(())
    }

    fn set_texture(&mut self, name: &str, image: &Image) -> Done<()> {
        let slot = self.slots.iter().find(|slot| slot.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.slots.iter().map(|slot| &*slot.name).collect();
            no_texture(name, &names)
        })?;
        let texture = image.texture(slot.shape, &self.limits)?;
        self.textures.bind(slot.unit, texture, Image::SAMPLER, &self.limits).map_err(|d| vec![d])
    }

    fn run(&mut self, lanes: &Lanes<'_>, counts: Option<&mut Counts>) -> Done<Ran> {
        let uniforms: Vec<_> = self.constants.iter().map(|(reg, bits)| (*reg, bits.clone())).collect();
        let around = Around { uniforms: &uniforms, ..Around::default() };
        self.code.run(lanes, around, &mut self.textures, counts).map_err(|d| vec![d])
    }

    fn captured(&mut self, lanes: &Lanes<'_>) -> Done<Captured> {
        let uniforms: Vec<_> = self.constants.iter().map(|(reg, bits)| (*reg, bits.clone())).collect();
        let around = Around { uniforms: &uniforms, ..Around::default() };
        let run = self.code.captured(lanes, around, self.textures.clone()).map_err(|d| vec![d])?;
        let names = OUTPUT_NAMES.iter().map(|(name, register)| ((*name).into(), (*register).into()));
        Ok(run.named(names))
    }
}
