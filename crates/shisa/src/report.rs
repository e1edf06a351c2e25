//! What programs take, told from their code alone.

use crate::parts::file::AgxFile;
use crate::{Result, Settings};
use serde_json::{Map, Value, json};
use shisa_agx::report::{Occupancy, Report, Unit};

/// What an AGX program takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgxReport {
    /// What the file calls the program; may be empty.
    pub name: String,
    /// Registers, threads at a time, cycles, waits.
    pub report: Report,
}

/// What the programs of an AGX file take: the one with this number, from 1, or all. Of a part its main code counts;
/// bytes of no known kind are code.
///
/// # Errors
/// What is wrong with the container or part; `no-program`, `limit-exceeded`.
pub fn report_agx(bytes: &[u8], program: Option<usize>, settings: &Settings) -> Result<Vec<AgxReport>> {
    let file = AgxFile::read(bytes, settings)?;
    let numbers = program.map_or(1..file.programs() + 1, |n| n..n.saturating_add(1));
    let report = |number| {
        let (range, _) = file.program(number)?;
        let report = Report::new(file.bytes(), range, &settings.limits)?;
        Ok(AgxReport { name: file.name(number).to_owned(), report })
    };
    numbers.map(report).collect()
}

impl AgxReport {
    /// As one JSON object. Registers and uniforms are counted in halves, `more_threads_with` is the number of
    /// registers with which more threads would run at a time, `null` if none would.
    pub fn to_json(&self) -> Value {
        let r = &self.report;
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
            "name": self.name,
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
}
