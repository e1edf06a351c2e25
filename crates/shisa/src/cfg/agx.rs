//! Graphs of AGX.

use super::{Cfg, Code, Naming, Recovered, Temporaries, Units};
use crate::parts::file::{AgxCode, AgxFile};
use crate::text::agx::texts;
use crate::{Isa, Listing, Result, Settings};
use shisa_agx::abi::{self, Registers};
use shisa_agx::link::END;
use shisa_agx::{Imageblock, Program, REGISTERS, Sequencer, Staged};
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

pub(super) fn graph(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Cfg> {
    let file = AgxFile::read(bytes, settings)?;
    of_program(&file, listing.program.unwrap_or(1), settings)
}

/// The graph of a program of a file. Offsets are those of the bytes that hold the code.
pub(crate) fn of_program(file: &AgxFile<'_>, number: usize, settings: &Settings) -> Result<Cfg> {
    let AgxCode { start, bytes, stage } = file.code(number)?;
    let (offsets, texts) = texts(bytes).map(|(at, text)| (start + at, text)).unzip();
    // A part that another one follows ends where its bytes end.
    let code = [bytes, &END].concat();
    let kind = stage.unwrap_or_else(|| Staged::stage_of(bytes));
    let imageblock = (kind == Stage::Compute).then(Imageblock::default);
    let program = Program { imageblock, ..Program::new(kind, code, settings.agx) };
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
        code: Code::Recovered(Recovered {
            func: shisa_ir::recover(&lifted, &Sequencer, 0, &settings.limits)?,
            temporaries: Temporaries { file: REGISTERS, naming: Naming::Halves { counter } },
            left: Units::of(left.iter()),
        }),
    })
}
