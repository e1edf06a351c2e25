//! Bounds on input and work.

use crate::diagnostic::Diagnostic;
use core::fmt::Display;

/// All bounds on input and work. Exceeding one yields a diagnostic that names the bound ([`Limit::exceeded`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of one input file in bytes.
    pub file: usize,
    /// Number of programs in one container.
    pub programs: usize,
    /// Number of instructions in one program.
    pub instructions: usize,
    /// Nesting depth of constructs in text or bytes.
    pub nesting: usize,
    /// Nesting depth of statements passed to a language printer; a deeper program becomes a dispatch loop.
    pub printed_nesting: usize,
    /// Number of labels and symbols in one program.
    pub labels: usize,
    /// Number of diagnostics reported for one input; the rest are only counted.
    pub diagnostics: usize,
    /// Growth factor that structuring may cause before a program becomes a dispatch loop.
    pub structure_growth: usize,
    /// Number of IR operations that one translation may process.
    pub fuel: u64,
    /// Size in bytes of the text written for one input.
    pub text_out: usize,
    /// Number of instructions that one lane may execute.
    pub lane_steps: u64,
    /// Number of instructions that all lanes of one run may execute in total.
    pub run_steps: u64,
    /// Size in bytes of the memory that the environment of one run may allocate.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            file: 64 << 20,
            programs: 65_536,
            instructions: 8_000_000,
            nesting: 256,
            printed_nesting: 96,
            labels: 65_536,
            diagnostics: 1_000,
            structure_growth: 4,
            fuel: 50_000_000,
            text_out: 1 << 30,
            lane_steps: 16_000_000,
            run_steps: 1_000_000_000,
            memory: 1 << 30,
        }
    }
}

/// Declares [`Limit`] with the command-line names of the limits and their fields.
macro_rules! named {
    ($($limit:ident = $name:literal = $field:ident),* $(,)?) => {
        /// One of the bounds of [`Limits`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Limit {
            $(#[doc = concat!("[`Limits::", stringify!($field), "`].")] $limit,)*
        }

        impl Limit {
            /// The name in diagnostics and on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Limit::$limit => $name,)* }
            }
        }

        impl Limits {
            /// The names that [`Limits::set`] accepts.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Sets the limit of this name; returns `false` if the name does not exist or the value does not fit.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $($name => value.try_into().map(|v| self.$field = v).is_ok(),)*
                    _ => false,
                }
            }

            /// The value of a limit.
            pub fn get(&self, limit: Limit) -> u64 {
                match limit { $(Limit::$limit => self.$field.try_into().unwrap_or(u64::MAX),)* }
            }
        }
    };
}

named! {
    File = "file" = file,
    Programs = "programs" = programs,
    Instructions = "instructions" = instructions,
    Nesting = "nesting" = nesting,
    PrintedNesting = "printed-nesting" = printed_nesting,
    Labels = "labels" = labels,
    Diagnostics = "diagnostics" = diagnostics,
    StructureGrowth = "structure-growth" = structure_growth,
    Fuel = "fuel" = fuel,
    TextOut = "text-out" = text_out,
    LaneSteps = "lane-steps" = lane_steps,
    RunSteps = "run-steps" = run_steps,
    Memory = "memory" = memory,
}

impl Limits {
    /// Compares `value`, a number of `what`, with a limit.
    ///
    /// # Errors
    /// `limit-exceeded` if `value` exceeds the limit.
    pub fn check(&self, limit: Limit, what: &str, value: impl TryInto<u64>) -> Result<(), Diagnostic> {
        limit.check(what, value, self.get(limit))
    }
}

impl Limit {
    /// Compares `value`, a number of `what`, with `bound`: the remaining part of the limit, or a smaller available
    /// amount.
    ///
    /// # Errors
    /// `limit-exceeded` if `value` exceeds the bound.
    pub fn check(
        self,
        what: &str,
        value: impl TryInto<u64>,
        bound: impl TryInto<u64>,
    ) -> Result<(), Diagnostic> {
        let [value, bound] = [value.try_into().ok(), bound.try_into().ok()].map(|n| n.unwrap_or(u64::MAX));
        if value <= bound {
            return Ok(());
        }
        Err(self.exceeded(format_args!("{what}: {value}"), bound))
    }

    /// The diagnostic for a number of `what` that exceeds `bound`, which is this limit or its remaining part.
    pub fn exceeded(self, what: impl Display, bound: impl Display) -> Diagnostic {
        let text = alloc::format!("{what} exceeds the limit {}={bound}", self.name());
        Diagnostic::error("limit-exceeded", text).help("raise the limit if the input can be trusted")
    }
}
