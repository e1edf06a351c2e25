use crate::Diagnostic;

/// Every bound on input and work. Exceeding one is a diagnostic that names the bound.
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
    /// Depth of nested statements handed to a language printer; deeper programs become a dispatch loop.
    pub printed_nesting: usize,
    /// Labels and symbols of one program.
    pub labels: usize,
    /// Diagnostics stored for one input; the rest are counted.
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

/// Names each limit as the command line does and says where it is stored.
macro_rules! named {
    ($($name:literal = $field:ident),* $(,)?) => {
        /// The names that [`Limits::set`] knows.
        pub const NAMES: &'static [&'static str] = &[$($name),*];

        /// Sets the limit of this name; `false` when there is none, or when the value does not fit.
        pub fn set(&mut self, name: &str, value: u64) -> bool {
            match name {
                $($name => value.try_into().map(|v| self.$field = v).is_ok(),)*
                _ => false,
            }
        }
    };
}

impl Limits {
    named! {
        "file" = file, "programs" = programs, "instructions" = instructions, "nesting" = nesting,
        "printed-nesting" = printed_nesting, "labels" = labels, "diagnostics" = diagnostics,
        "structure-growth" = structure_growth, "fuel" = fuel, "text-out" = text_out,
        "lane-steps" = lane_steps, "run-steps" = run_steps, "memory" = memory,
    }

    /// `Err` with a diagnostic that names the limit when `value` exceeds `limit`.
    pub fn check(what: &'static str, value: usize, limit: usize) -> Result<(), Diagnostic> {
        if value <= limit {
            return Ok(());
        }
        let text = alloc::format!("{what}: {value} exceeds the limit of {limit}");
        Err(Diagnostic::error("limit-exceeded", text).help("raise the limit if the input can be trusted"))
    }
}
