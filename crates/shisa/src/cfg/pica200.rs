//! Graphs of PICA200.

use super::{Cfg, Code, Naming, Recovered, Temporaries, Units};
use crate::text::pica200::program;
use crate::{Isa, Listing, Result, Settings};
use shisa_pica200::container::Shbin;
use shisa_pica200::{Sequencer, TEMPORARIES};

pub(super) fn graph(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Cfg> {
    let (binary, file, index) = program(bytes, listing.program.unwrap_or(1), settings)?;
    Cfg::of_program(&file, index, binary.offset, settings)
}

impl Cfg {
    /// The graph of a program of a binary that lies at `offset` of its file.
    pub(crate) fn of_program(file: &Shbin, index: usize, offset: usize, settings: &Settings) -> Result<Cfg> {
        let Some(program) = file.program(index) else {
            return Err(crate::text::no_program(index + 1, file.programs.len()).into());
        };
        let lifted = shisa_pica200::lift(&program, &settings.pica200)?;
        let func = shisa_ir::recover(&lifted, &Sequencer, program.entry, &settings.limits)?;
        let texts = shisa_pica200::texts(file);
        Ok(Cfg {
            isa: Isa::Pica200,
            chip: file.programs.get(index).map(|p| format!("{:#x}", p.version)),
            stage: Some(program.stage.name()),
            offsets: (0..texts.len()).map(|i| offset + file.code_at() + 4 * i).collect(),
            texts,
            code: Code::Recovered(Recovered {
                func,
                temporaries: Temporaries { file: TEMPORARIES, naming: Naming::Vectors("r") },
                left: Units::default(),
            }),
        })
    }
}
