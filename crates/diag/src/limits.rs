//! Bounds on input and work.

use crate::diagnostic::Diagnostic;
use core::fmt::Display;

/// Every bound on input and work. Exceeding one is a diagnostic that names the bound ([`Limit::exceeded`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one input file.
    pub file: usize,
    /// Programs in one container.
    pub programs: usize,
    /// Instructions of one program.
    pub instructions: usize,
    /// Depth of nested constructs read from text or bytes.
    pub nesting: usize,
    /// Depth of nested statements that a language printer gets; deeper programs become a dispatch loop.
    pub printed_nesting: usize,
    /// Labels and symbols of one program.
    pub labels: usize,
    /// Diagnostics reported for one input; the rest are counted.
    pub diagnostics: usize,
    /// How many times larger structuring may make a program before it becomes a dispatch loop.
    pub structure_growth: usize,
    /// IR operations that one translation may touch.
    pub fuel: u64,
    /// Bytes of text written for one input.
    pub text_out: usize,
    /// Instructions that one lane may execute.
    pub lane_steps: u64,
    /// Instructions that all lanes of one run may execute together.
    pub run_steps: u64,
    /// Bytes of memory that the environment of one run may hold.
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

/// Declares [`Limit`] with the names that the command line has, and where each is stored.
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
            /// The names that [`Limits::set`] knows.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Sets the limit of this name; `false` when there is none, or when the value does not fit.
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
    /// Compares `value`, which counts `what`, with a limit.
    ///
    /// # Errors
    /// `limit-exceeded` when it exceeds the limit.
    pub fn check(&self, limit: Limit, what: &str, value: impl TryInto<u64>) -> Result<(), Diagnostic> {
        limit.check(what, value, self.get(limit))
    }
}

impl Limit {
    /// Compares `value`, which counts `what`, with `bound`: the rest of the limit, or less than the limit where more
    /// is not available.
    ///
    /// # Errors
    /// `limit-exceeded` when it exceeds the bound.
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

    /// The diagnostic for a number of things that exceeds `bound`, which is this limit or the rest of it.
    pub fn exceeded(self, what: impl Display, bound: impl Display) -> Diagnostic {
        let text = alloc::format!("{what} exceeds the limit {}={bound}", self.name());
        Diagnostic::error("limit-exceeded", text).help("raise the limit if the input can be trusted")
    }
}
