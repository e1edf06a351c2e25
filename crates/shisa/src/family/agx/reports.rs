//! Cost of AGX programs, estimated from their code.

use super::file::AgxFile;
use crate::{Result, Settings};
use serde_json::{Map, Value, json};
use shisa_agx::report::{Occupancy, Report, Unit};

/// The estimated cost of a program. For a part, that of its main code.
pub(super) fn report(file: &AgxFile<'_>, index: usize, settings: &Settings) -> Result<crate::Report> {
    let (range, _) = file.program(index)?;
    let report = Report::new(file.bytes(), range, &settings.limits)?;
    let name = file.name(index).to_owned();
    let json = json(&name, &report);
    Ok(crate::Report { name, json, text: report.to_string() })
}

/// The report as one JSON object. Registers and uniforms are counted in halves. `more_threads_with` is the number of
/// registers at which occupancy would rise, `null` if it would not.
fn json(name: &str, r: &Report) -> Value {
    let unit = |(unit, used): (&Unit, &shisa_agx::report::Use)| {
        let counts = json!({ "instructions": used.instructions, "cycles": used.cycles });
        (unit.name().to_owned(), counts)
    };
    let units: Map<String, Value> = Unit::ALL.iter().zip(&r.units).map(unit).collect();
    let waits = r.waits.iter().map(|w| {
        json!({
            "at": w.at, "group": w.group_name(), "accesses": w.accesses, "hidden_cycles": w.hidden,
        })
    });
    let loops = r.loops.iter().map(|l| json!({ "start": l.start, "end": l.end, "cycles": l.cycles }));
    let Occupancy { threads, better } = r.occupancy();
    json!({
        "version": 1,
        "name": name,
        "bytes": r.bytes,
        "instructions": r.instructions,
        "registers": r.registers,
        "uniforms": r.uniforms,
        "threads": threads,
        "more_threads_with": better,
        "cycles": r.cycles(),
        "units": units,
        "waits": waits.collect::<Vec<_>>(),
        "loops": loops.collect::<Vec<_>>(),
    })
}
