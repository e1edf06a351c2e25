//! `agx/links`: programs that Mesa's linker joined.

use crate::tally::same;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::Settings;
use shisa::agx::PartFile;
use shisa::diag::Diagnostic;

/// Joins parts and compares code and metadata.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for (number, line) in (1..).zip(data.text("agx/links.jsonl")?.lines()) {
        tally.row(&format!("links.jsonl:{number}"), link(line));
    }
    Ok(())
}

/// A program that a linker joined, and its parts.
#[derive(Clone, Debug)]
pub struct Case {
    /// The prolog, if there is one.
    pub prolog: Option<PartFile>,
    /// The main part.
    pub main: PartFile,
    /// The epilog, if there is one.
    pub epilog: Option<PartFile>,
    /// Samples that are shaded one by one; 0 for all at once.
    pub samples: u32,
    /// The program, as JSON.
    pub linked: Value,
}

impl Case {
    /// Reads a line of a file of links.
    ///
    /// # Errors
    /// What is missing or is not a part.
    pub fn read(line: &str) -> Result<Case, String> {
        let case: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let part = |name: &str| match &case[name] {
            Value::Null => Ok(None),
            file => PartFile::read(file.to_string().as_bytes(), &Settings::default())
                .map(Some)
                .map_err(|e| format!("{name}: {e}")),
        };
        let samples = case["linked"]["meta"]["nr_samples_shaded"].as_u64().and_then(|n| n.try_into().ok());
        Ok(Case {
            prolog: part("prolog")?,
            main: part("main")?.ok_or("there is no main part")?,
            epilog: part("epilog")?,
            samples: samples.ok_or("there is no number of samples")?,
            linked: case["linked"].clone(),
        })
    }

    /// The program that our linker joins, as JSON, and its warnings.
    ///
    /// # Errors
    /// Those of the linker.
    pub fn link(&self) -> shisa::Result<(Value, Vec<Diagnostic>)> {
        let (prolog, epilog) = (self.prolog.as_ref(), self.epilog.as_ref());
        let done = shisa::agx::link(prolog, &self.main, epilog, self.samples, &Settings::default());
        let (linked, warnings) = done?;
        let mut got = linked.to_json();
        // The number that a program was filed under belongs to the collection.
        got["meta"]["id"] = self.linked["meta"]["id"].clone();
        Ok((got, warnings))
    }
}

fn link(line: &str) -> Result<(), String> {
    let case = Case::read(line)?;
    let (got, _) = case.link().map_err(|e| e.to_string())?;
    same(&case.linked, &got)
}
