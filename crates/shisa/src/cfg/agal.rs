//! Graphs of AGAL.

use super::{Cfg, Temporaries};
use crate::{Isa, Result, Settings, lower};
use shisa_agal::{Program, RegType};

pub(super) fn graph(bytes: &[u8], settings: &Settings) -> Result<Cfg> {
    let program = Program::read(bytes, &settings.limits)?;
    let lifted = shisa_agal::lift(&program, &settings.agal)?;
    let (version, stage) = (program.version, program.stage);
    Ok(Cfg {
        isa: Isa::Agal,
        chip: Some(version.to_string()),
        stage,
        func: lower::agal::recover(&program, &lifted, settings)?,
        texts: lower::agal::texts(&program),
        place: (Program::token_span(0).start, Program::token_span(0).len()),
        temporaries: Temporaries {
            file: RegType::TEMPORARY.file(),
            name: RegType::TEMPORARY.name(stage).unwrap_or_default(),
            count: RegType::TEMPORARY.count(version, stage),
        },
    })
}
