//! Graphs of AGAL.

use super::lowering;
use crate::cfg::{Cfg, Recovered, Temporaries, vectors};
use crate::{Isa, Result, Settings};
use shisa_agal::{Program, RegType};
use shisa_ir::Units;

pub(super) fn graph(program: &Program, settings: &Settings) -> Result<Cfg> {
    let lifted = shisa_agal::lift(program, &settings.agal)?;
    let (version, stage) = (program.version, program.stage);
    let texts = lowering::texts(program);
    Ok(Cfg {
        isa: Isa::Agal,
        chip: Some(version.to_string()),
        stage: Some(stage.name()),
        offsets: (0..texts.len()).map(|i| Program::token_span(i).start).collect(),
        texts,
        flow: Box::new(Recovered {
            func: lowering::recover(program, lifted, settings)?,
            temporaries: Temporaries {
                file: RegType::TEMPORARY.file(),
                names: vectors(RegType::TEMPORARY.name(stage).unwrap_or_default()),
            },
            left: Units::default(),
        }),
        limits: settings.limits.clone(),
    })
}
