//! Graphs of AGX.

use super::file::{AgxCode, AgxFile};
use super::spelling::texts;
use crate::cfg::{Cfg, Recovered, Temporaries};
use crate::{Isa, Result, Settings};
use shisa_agx::abi::{self, Registers};
use shisa_agx::link::END;
use shisa_agx::{Imageblock, Program, REGISTERS, Sequencer, Staged};
use shisa_diag::Diagnostic;
use shisa_ir::{Stage, Units};

/// The graph of a program of a file. Offsets count in the bytes that hold the code.
pub(super) fn graph(file: &AgxFile<'_>, index: usize, settings: &Settings) -> Result<Cfg> {
    let AgxCode { start, bytes, stage } = file.code(index)?;
    let (offsets, texts) = texts(bytes).map(|(at, text)| (start + at, text)).unzip();
    // A part that another part follows ends where its bytes end.
    let code = [bytes, &END].concat();
    let kind = stage.unwrap_or_else(|| Staged::stage_of(bytes));
    let imageblock = (kind == Stage::Compute).then(Imageblock::default);
    let program = Program { imageblock, ..Program::new(kind, code, settings.agx.options) };
    let placed = |d: Diagnostic| match start {
        0 => d,
        _ => d.note(format!("bytes are counted from the program's first, at {start:#x}")),
    };
    let lifted = shisa_agx::lift(&program).map_err(|all| all.into_iter().map(placed).collect::<Vec<_>>())?;
    let left = match file {
        AgxFile::Part(file) => abi::left(&file.part, &settings.limits),
        _ => Registers::EMPTY,
    };
    let counter = lifted.steps.iter().any(|s| s.whole_wave);
    Ok(Cfg {
        isa: Isa::Agx,
        chip: None,
        stage: stage.map(Stage::name),
        texts,
        offsets,
        flow: Box::new(Recovered {
            func: shisa_ir::recover(lifted, &Sequencer, 0, &settings.limits)?,
            temporaries: Temporaries {
                file: REGISTERS,
                names: Box::new(move |units| halves(units, counter)),
            },
            left: Units::of(left.iter()),
        }),
        limits: settings.limits.clone(),
    })
}

/// Registers of two halves, in runs: `r4..r6 r7l`. With a `counter`, `r0l` is the nesting counter: the path taken
/// determines its value, so it is left out.
fn halves(units: &Units, counter: bool) -> Vec<String> {
    let runs = (u32::from(counter)..256).filter(|n| units.has(*n)).map(|n| n as usize);
    let all = runs.fold(Registers::EMPTY, |all, n| all.or(Registers::range(n, n + 1)));
    all.names('r').split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
