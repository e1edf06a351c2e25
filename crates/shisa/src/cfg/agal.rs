//! Graphs of AGAL.

use super::{Cfg, Code, Naming, Recovered, Temporaries, Units};
use crate::{Isa, Result, Settings, lower};
use shisa_agal::{Program, RegType};

pub(super) fn graph(bytes: &[u8], settings: &Settings) -> Result<Cfg> {
    let program = Program::read(bytes, &settings.limits)?;
    let lifted = shisa_agal::lift(&program, &settings.agal)?;
    let (version, stage) = (program.version, program.stage);
    let texts = lower::agal::texts(&program);
    Ok(Cfg {
        isa: Isa::Agal,
        chip: Some(version.to_string()),
        stage: Some(stage.name()),
        offsets: (0..texts.len()).map(|i| Program::token_span(i).start).collect(),
        texts,
        code: Code::Recovered(Recovered {
            func: lower::agal::recover(&program, &lifted, settings)?,
            temporaries: Temporaries {
                file: RegType::TEMPORARY.file(),
                naming: Naming::Vectors(RegType::TEMPORARY.name(stage).unwrap_or_default()),
            },
            left: Units::default(),
        }),
    })
}
