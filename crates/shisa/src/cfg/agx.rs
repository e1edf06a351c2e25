//! Graphs of AGX.

use super::{Cfg, Code, Naming, Recovered, Temporaries};
use crate::parts::file::AgxFile;
use crate::{Isa, Listing, Result, Settings};
use shisa_agx::{Ctx, Program, REGISTERS, Sequencer, instructions, up_to_trap};
use shisa_diag::Diagnostic;
use shisa_ir::Stage;
use shisa_rows::{Line, print};

/// The bytes of `stop`.
const STOP: [u8; 2] = [0x88, 0x00];

pub(super) fn graph(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Cfg> {
    let file = AgxFile::read(bytes, settings)?;
    of_program(&file, listing.program.unwrap_or(1), settings)
}

/// The graph of a program of a file. Offsets are those of the bytes that hold the code.
pub(crate) fn of_program(file: &AgxFile<'_>, number: usize, settings: &Settings) -> Result<Cfg> {
    let (range, stage) = file.program(number)?;
    let start = range.start;
    let code = up_to_trap(file.bytes().get(range).unwrap_or_default());
    let told = instructions(code).map(|(at, insn)| {
        let mut text = Vec::new();
        print(&insn, Ctx { pc: at as u32, ..Ctx::default() }, &mut Line::new(&mut text));
        (start + at, String::from_utf8(text).unwrap_or_default())
    });
    let (offsets, texts) = told.unzip();
    let mut program =
        Program { stage: stage.unwrap_or(Stage::Compute), code: code.into(), workgroup: [1; 3] };
    // A part that another one follows ends where its bytes end.
    program.code.extend(STOP);
    let placed = |d: Diagnostic| match start {
        0 => d,
        _ => d.note(format!("bytes are counted from the program's first, at {start:#x}")),
    };
    let lifted = shisa_agx::lift(&program).map_err(|all| all.into_iter().map(placed).collect::<Vec<_>>())?;
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
        }),
    })
}
