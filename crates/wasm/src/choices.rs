//! Settings as an object of JavaScript.

use crate::failure::Failure;
use serde::Deserialize;
use shisa::{Language, Settings};
use shisa_verbs::{
    ChipName, IsaName, Reading, RevisionName, SourceSyntax, StageName, language, set_choice, set_limit,
};
use std::collections::BTreeMap;

/// How a file is opened, or a source assembled.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Choices {
    /// The name of the file, for messages. Its extension can determine language and stage of a source.
    name: Option<String>,
    isa: Option<IsaName>,
    stage: Option<StageName>,
    version: Option<u32>,
    lenient: bool,
    syntax: Option<SourceSyntax>,
    unchecked: bool,
    pieces: bool,
    schedule: bool,
    /// The chip of Maxwell.
    sm: Option<ChipName>,
    isa_rev: RevisionName,
    picasso_compatible: bool,
    no_nop: bool,
    nearest: bool,
    labels: bool,
    lines: bool,
    set: BTreeMap<String, String>,
    limits: BTreeMap<String, u64>,
}

impl Choices {
    /// The settings of the library.
    ///
    /// # Errors
    /// `usage` for choices and limits that do not exist.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let Choices { isa, stage, version, lenient, .. } = *self;
        let mut settings = Reading { isa, stage, version, lenient }.settings(Settings::untrusted());
        settings.name = self.name.clone();
        settings.unchecked = self.unchecked;
        settings.pieces = self.pieces;
        settings.maxwell.schedule = self.schedule;
        settings.maxwell.chip = self.sm.map(|name| name.0);
        settings.agx.revision = self.isa_rev.into();
        let assembling = &mut settings.pica200.assembling;
        assembling.picasso_compatible = self.picasso_compatible;
        assembling.no_padding = self.no_nop;
        assembling.nearest = self.nearest;
        assembling.labels = self.labels;
        assembling.lines = self.lines;
        for (name, value) in &self.limits {
            set_limit(&mut settings, name, Some(*value))
                .map_err(|text| Failure::usage(format!("limits: {name}: {text}")))?;
        }
        for (key, value) in &self.set {
            set_choice(&mut settings, key, value)
                .map_err(|text| Failure::usage(format!("set: {key}={value}: {text}")))?;
        }
        Ok(settings)
    }

    /// The language of a source.
    pub(crate) fn language(&self, source: &str, settings: &Settings) -> Language {
        language(source.as_bytes(), self.syntax, None, settings)
    }
}
