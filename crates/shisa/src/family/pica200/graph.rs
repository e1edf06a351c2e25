//! Graphs of PICA200.

use crate::cfg::{Cfg, Recovered, Temporaries, vectors};
use crate::{Isa, Result, Settings, error};
use shisa_ir::Units;
use shisa_pica200::container::Shbin;
use shisa_pica200::{Sequencer, TEMPORARIES};

/// The graph of a program of a binary at `offset` in its file.
pub(super) fn graph(file: &Shbin, index: usize, offset: usize, settings: &Settings) -> Result<Cfg> {
    let Some(program) = file.program(index) else {
        return Err(error::no_program(index + 1, file.programs.len()).into());
    };
    let lifted = shisa_pica200::lift(&program, &settings.pica200.options)?;
    let func = shisa_ir::recover(lifted, &Sequencer, program.entry, &settings.limits)?;
    let texts = shisa_pica200::texts(file);
    Ok(Cfg {
        isa: Isa::Pica200,
        chip: file.programs.get(index).map(|p| format!("{:#x}", p.version)),
        stage: Some(program.stage.name()),
        offsets: (0..texts.len()).map(|i| offset + file.code_at() + 4 * i).collect(),
        texts,
        flow: Box::new(Recovered {
            func,
            temporaries: Temporaries { file: TEMPORARIES, names: vectors("r") },
            left: Units::default(),
        }),
        limits: settings.limits.clone(),
    })
}
