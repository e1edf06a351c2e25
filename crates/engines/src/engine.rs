//! The engines.

/// An engine. Each takes fewer programs than those before it, and is faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Engine {
    /// The exact evaluator, which runs every program.
    #[default]
    Evaluator,
    /// The batch engine: many lanes with the vector units of the host.
    Batch,
    /// Machine code of the host.
    MachineCode,
}

impl Engine {
    /// All engines.
    pub const ALL: [Engine; 3] = [Engine::Evaluator, Engine::Batch, Engine::MachineCode];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Evaluator => "evaluator",
            Engine::Batch => "batch",
            Engine::MachineCode => "machine-code",
        }
    }
}
