//! Options of every verb.

use crate::stop::Stop;
use clap::{Args, ValueEnum};
use shisa::Settings;
use shisa_verbs::{set_choice, set_limit};
use std::io::IsTerminal;

/// Options of every verb.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// The format of results and diagnostics
    #[arg(long, global = true, value_enum, default_value_t, help_heading = "Common options")]
    pub(crate) format: Format,
    /// The same as --format json
    #[arg(long, global = true, conflicts_with = "format", help_heading = "Common options")]
    json: bool,
    /// When to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Common options"
    )]
    color: Color,
    /// Change a limit on input or work, such as instructions=1000
    #[arg(long = "limit", global = true, value_name = "NAME=VALUE", help_heading = "Common options")]
    limits: Vec<String>,
    /// Choose behaviour that hardware leaves open, such as ifg=gt; `shisa explain ifg` describes it
    #[arg(long = "set", global = true, value_name = "NAME=VALUE", help_heading = "Common options")]
    choices: Vec<String>,
}

/// The format of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text
    #[default]
    Text,
    /// JSON; for lists one object a line
    Json,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On terminals, unless NO_COLOR is set in the environment or TERM is dumb
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Global {
    /// Makes options that are short for others those others.
    pub(crate) fn resolve(&mut self) {
        if self.json {
            self.format = Format::Json;
        }
    }

    /// The settings from the options.
    pub(crate) fn settings(&self) -> Result<Settings, Stop> {
        let mut settings = Settings::default();
        for text in &self.limits {
            let (name, value) = pair("--limit", text)?;
            let value: Option<u64> = value.replace('_', "").parse().ok();
            set_limit(&mut settings, name, value)
                .map_err(|expected| Stop::Failed(format!("--limit {text}: {expected}")))?;
        }
        for text in &self.choices {
            let (key, value) = pair("--set", text)?;
            set_choice(&mut settings, key, value)
                .map_err(|expected| Stop::Failed(format!("--set {text}: {expected}")))?;
        }
        Ok(settings)
    }

    /// The choices, each with its name.
    ///
    /// # Errors
    /// A choice without a name.
    pub(crate) fn choices(&self) -> Result<Vec<(&str, &str)>, Stop> {
        self.choices.iter().map(|text| pair("--set", text)).collect()
    }

    /// Whether the error output is coloured.
    pub(crate) fn colour_errors(&self) -> bool {
        self.color.on(std::io::stderr().is_terminal())
    }

    /// Whether the output is coloured.
    pub(crate) fn colour_output(&self) -> bool {
        self.color.on(std::io::stdout().is_terminal())
    }
}

impl Color {
    /// Whether an output is coloured.
    pub(crate) fn on(self, terminal: bool) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let unset = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
                terminal && unset && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

fn pair<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str), Stop> {
    text.split_once('=').ok_or_else(|| Stop::Failed(format!("{option} {text}: expected NAME=VALUE")))
}
