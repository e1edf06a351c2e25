//! Speed of a geometry program of PICA200 on each engine, whose vertices are counted and stored.

use super::timing::all_seconds;
use shisa::data::batch::{Attribute, Outputs, Slot};
use shisa::data::engines::{Engine, Session};
use shisa::diag::Diagnostic;
use shisa::eval::{Environment, LaneView};
use shisa::ir::{Emission, Reg};
use shisa::pica200::{INPUTS, OUTPUTS};
use shisa::{File, Settings};
use std::error::Error;

/// A point becomes four vertices.
const SPRITE: &str = include_str!("../../../examples/sprite.g.pica");
/// Points of a draw.
const POINTS: usize = 4096;
/// Components of a vertex that are stored, and of a point.
const COMPONENTS: usize = 12;
const ATTRIBUTES: usize = 8;

/// The vertices of a draw.
#[derive(Default)]
struct Vertices(Vec<u32>);

impl Environment for Vertices {
    fn emit(&mut self, _: Emission, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        let end = self.0.len();
        self.0.resize(end + COMPONENTS, 0);
        outputs.registers(Reg::new(OUTPUTS, 0), &mut self.0[end..])
    }
}

/// Prints million vertices a second of each engine.
pub(super) fn print(wanted: impl Fn(&str) -> bool) -> Result<(), Box<dyn Error>> {
    let name = "pica200/exec/sprite";
    if !wanted(name) {
        return Ok(());
    }
    let data: Vec<u32> = (0..POINTS * ATTRIBUTES).map(|n| ((n % 61) as f32 / 64.0).to_bits()).collect();
    let file = File::open(SPRITE.as_bytes(), &Settings::new())?;
    let program = file.program(1)?;
    let mut sessions = Vec::new();
    for engine in Engine::ALL {
        let compiled = program.compile(engine)?;
        if compiled.engine() == engine {
            sessions.push((engine, compiled.session()));
        }
    }
    let run = |session: &mut Session| {
        let slot = |register: u16| {
            let offset = 4 * usize::from(register);
            Slot { reg: Reg::new(INPUTS, 4 * register), units: 4, offset, stride: ATTRIBUTES, step: 1 }
        };
        let attributes = [0, 1].map(|register| Attribute { slot: slot(register), data: &data });
        let (mut vertices, mut outputs) = (Vertices::default(), Outputs { slots: &[], data: &mut [] });
        session.run_with(POINTS, &attributes, &mut outputs, &mut [], &mut vertices).map(|()| vertices.0.len())
    };
    let counts: Result<Vec<usize>, Diagnostic> = sessions.iter_mut().map(|(_, s)| run(s)).collect();
    let vertices = counts?.first().map_or(0, |words| words / COMPONENTS);
    let mut pieces: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    for (_, session) in &mut sessions {
        pieces.push(Box::new(|| drop(run(session))));
    }
    let mut list: Vec<&mut dyn FnMut()> = pieces.iter_mut().map(|piece| &mut **piece as _).collect();
    let times = all_seconds(&mut list);
    drop(pieces);
    for ((engine, _), time) in sessions.iter().zip(&times) {
        let (speed, ratio) = (vertices as f64 / time / 1e6, times[0] / time);
        println!("{name}/{engine:?} {speed:.2} M-vertices/s; {ratio:.2} times the speed of the evaluator");
    }
    Ok(())
}
