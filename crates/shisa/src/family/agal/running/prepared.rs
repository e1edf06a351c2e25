//! Programs that are prepared once, and run on slices.

use crate::Result;
use shisa_agal::Sequencer;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Program, Runner};
use shisa_ir::{FloatModel, Interface, Io, Reg};

/// A program that is checked and planned, for any number of runs and threads.
///
/// ```
/// use shisa::agal::prepare;
/// use shisa::eval::{NoObserver, Results, TextureSet, Values, ValuesMut};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let source = b"// agal 1 vertex\nmul op, va0, vc0";
/// let file = shisa::File::open(source, &shisa::Settings::new())?;
/// let prepared = prepare(&file.program(1)?)?;
/// let (position, scale) = (prepared.output("op")?.reg, prepared.constant(0));
/// let mut runner = prepared.runner();
/// runner.set_uniform(scale, &[2f32.to_bits(); 4])?;
/// let vertices = [1f32, 2.0, 3.0, 1.0].map(f32::to_bits);
/// let mut moved = [0; 4];
/// let inputs = [Values { reg: prepared.input("va0")?.reg, units: 4, bits: &vertices }];
/// let results = Results {
///     outputs: &mut [ValuesMut { reg: position, units: 4, bits: &mut moved }],
///     killed: &mut [],
/// };
/// runner.run(1, &inputs, results, &mut TextureSet::new(), &mut NoObserver, prepared.limits())?;
/// assert_eq!(moved.map(f32::from_bits), [2.0, 4.0, 6.0, 2.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Prepared {
    plan: Program<'static>,
    sequencer: Sequencer,
    interface: Interface,
    limits: Limits,
}

/// Prepares a program for runs.
///
/// # Errors
/// `program-isa` for a program of another instruction set; what the lift and the evaluator refuse.
pub fn prepare(program: &crate::Program<'_>) -> Result<Prepared> {
    let (settings, program) = (program.settings(), super::super::program(program)?);
    let lifted = shisa_agal::lift(program, &settings.agal)?;
    let interface = shisa_agal::interface(program, &lifted);
    let sequencer = Sequencer::new(program, &settings.limits);
    let plan = Program::owning(lifted, FloatModel::F32, &settings.limits)?;
    Ok(Prepared { plan, sequencer, interface, limits: settings.limits.clone() })
}

impl Prepared {
    /// Its inputs, outputs and resources.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// The limits of the settings that its file was opened with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// An input, such as `va0`.
    ///
    /// # Errors
    /// `run-input` if the program reads no such register.
    pub fn input(&self, name: &str) -> Result<&Io> {
        named(&self.interface.inputs, name, "reads no input")
    }

    /// An output, such as `op`.
    ///
    /// # Errors
    /// `run-input` if the program writes no such register.
    pub fn output(&self, name: &str) -> Result<&Io> {
        named(&self.interface.outputs, name, "writes no output")
    }

    /// The first unit of a constant register, for [`Runner::set_uniform`].
    pub fn constant(&self, number: u16) -> Reg {
        Reg::new(shisa_agal::RegType::CONSTANT.file(), number.saturating_mul(4))
    }

    /// A runner, which has the memory of a run. Its runs allocate nothing, unless they sample textures or fail.
    pub fn runner(&self) -> Runner<'_, Sequencer> {
        Runner::new(&self.plan, &self.sequencer, 0)
    }
}

fn named<'i>(list: &'i [Io], name: &str, lacks: &str) -> Result<&'i Io> {
    let found = list.iter().find(|io| io.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = list.iter().map(|io| &*io.name).collect();
        let d = Diagnostic::error("run-input", format!("the program {lacks} \"{name}\""));
        d.note(format!("it has {}", names.join(", "))).into()
    })
}
