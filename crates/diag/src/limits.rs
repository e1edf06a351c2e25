//! Bounds on input and work.

use crate::diagnostic::Diagnostic;
use alloc::format;
use core::fmt::Display;

/// All bounds on input and work. Exceeding one yields a diagnostic that names the bound and its value ([`Bound`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of one input file in bytes. For containers from which only parts are taken, such as libraries with CUDA
    /// code: the bytes of code in them.
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
    /// Work of one run: each instruction that a wave executes, weighted by the class of its time (a texture read costs
    /// as much as some sixty additions), whatever lanes are active. A run that reaches the default takes about two
    /// seconds.
    pub run_work: u64,
    /// Size in bytes of the memory for the environment of one run, for decompressed parts of a container, and for a
    /// container from which only parts are taken.
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
            run_work: 20_000_000,
            memory: 1 << 30,
        }
    }
}

/// Declares [`Limit`] with the command-line names of the limits, their fields, units and meanings.
macro_rules! named {
    ($($limit:ident = $name:literal = $field:ident: $unit:literal, $meaning:literal;)*) => {
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

            /// What it counts.
            pub const fn unit(self) -> &'static str {
                match self { $(Limit::$limit => $unit,)* }
            }

            /// A sentence on what it bounds.
            pub const fn meaning(self) -> &'static str {
                match self { $(Limit::$limit => $meaning,)* }
            }

            /// All limits.
            pub const ALL: &'static [Limit] = &[$(Limit::$limit),*];
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
    File = "file" = file: "bytes",
        "Size of one input file.";
    Programs = "programs" = programs: "programs",
        "Number of programs in one container.";
    Instructions = "instructions" = instructions: "instructions",
        "Number of instructions in one program.";
    Nesting = "nesting" = nesting: "levels",
        "Nesting depth of constructs in text or bytes.";
    PrintedNesting = "printed-nesting" = printed_nesting: "levels",
        "Nesting depth of statements that are passed to a printer of a language. A deeper program becomes a loop with a switch over its blocks.";
    Labels = "labels" = labels: "labels",
        "Number of labels and symbols in one program.";
    Diagnostics = "diagnostics" = diagnostics: "findings",
        "Number of findings that are reported for one input. The rest are only counted.";
    StructureGrowth = "structure-growth" = structure_growth: "times",
        "How many times larger structuring may make a program before it becomes a loop with a switch over its blocks.";
    Fuel = "fuel" = fuel: "operations",
        "Number of operations of the intermediate representation that one translation may process, and of steps that one analysis may take.";
    TextOut = "text-out" = text_out: "bytes",
        "Size of the text that is written for one input.";
    LaneSteps = "lane-steps" = lane_steps: "instructions",
        "Number of instructions that one lane may execute.";
    RunSteps = "run-steps" = run_steps: "instructions",
        "Number of instructions that all lanes of one run may execute together.";
    RunWork = "run-work" = run_work: "units",
        "Work of one run: each instruction that a wave executes, weighted by the class of its time.";
    Memory = "memory" = memory: "bytes",
        "Size of the memory that the environment of one run may allocate.";
}

impl Limits {
    /// Limits for a service that takes files from strangers: at most 4 MiB of input, 64 MiB of memory, and a
    /// tenth of the default's work for a run.
    pub fn untrusted() -> Limits {
        Limits {
            file: 4 << 20,
            programs: 1_024,
            instructions: 200_000,
            nesting: 64,
            printed_nesting: 48,
            labels: 8_192,
            diagnostics: 100,
            structure_growth: 2,
            fuel: 2_000_000,
            text_out: 16 << 20,
            lane_steps: 1_000_000,
            run_steps: 50_000_000,
            run_work: 2_000_000,
            memory: 64 << 20,
        }
    }

    /// A limit with its configured value.
    pub fn bound(&self, limit: Limit) -> Bound {
        Bound { limit, value: self.get(limit) }
    }

    /// Compares `value`, a number of `what`, with a limit.
    ///
    /// # Errors
    /// `limit-exceeded` if `value` exceeds the limit.
    pub fn check(&self, limit: Limit, what: &str, value: impl TryInto<u64>) -> Result<(), Diagnostic> {
        self.bound(limit).check(what, value)
    }

    /// The diagnostic for `what`, which exceeds a limit by an unknown amount.
    pub fn exceeded(&self, limit: Limit, what: impl Display) -> Diagnostic {
        self.bound(limit).exceeded(what)
    }
}

/// A limit with its configured value. Only [`Limits::bound`] makes one, so that a diagnostic never names another value,
/// such as the remaining part of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    limit: Limit,
    value: u64,
}

impl Bound {
    /// The configured value.
    pub const fn value(self) -> u64 {
        self.value
    }

    /// Compares `value`, a number of `what`, with the limit.
    ///
    /// # Errors
    /// `limit-exceeded` if `value` exceeds the limit.
    pub fn check(self, what: &str, value: impl TryInto<u64>) -> Result<(), Diagnostic> {
        self.check_up_to(u64::MAX, what, value)
    }

    /// Compares `value`, a number of `what`, with the limit and with `most`, the largest number that is supported
    /// whatever the limit is.
    ///
    /// # Errors
    /// `limit-exceeded` if `value` exceeds one of them.
    pub fn check_up_to(self, most: u64, what: &str, value: impl TryInto<u64>) -> Result<(), Diagnostic> {
        let value = value.try_into().unwrap_or(u64::MAX);
        if value <= self.value.min(most) {
            return Ok(());
        }
        // Products saturate, so the largest value is only known to be at least that.
        let least = if value == u64::MAX { "at least " } else { "" };
        Err(self.exceeded_up_to(most, format_args!("{what}: {least}{value}")))
    }

    /// The diagnostic for `what`, which exceeds the limit by an unknown amount.
    pub fn exceeded(self, what: impl Display) -> Diagnostic {
        self.exceeded_up_to(u64::MAX, what)
    }

    /// The diagnostic for `what`, which exceeds the limit or `most`, the largest number that is supported whatever the
    /// limit is.
    pub fn exceeded_up_to(self, most: u64, what: impl Display) -> Diagnostic {
        if most < self.value {
            return unsupported(most, what);
        }
        let text = format!("{what} exceeds the limit {}={}", self.limit.name(), self.value);
        Diagnostic::error("limit-exceeded", text).help("raise the limit if the input can be trusted")
    }
}

/// The diagnostic for `what`, which exceeds `most`, the largest number that is supported whatever the limits are.
pub fn unsupported(most: u64, what: impl Display) -> Diagnostic {
    let text = format!("{what} exceeds {most}, the largest number that is supported");
    Diagnostic::error("limit-exceeded", text).help("no limit raises that")
}
