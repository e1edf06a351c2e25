//! `shisa completions`

use crate::stop::{Status, Stop};
use std::io::Write;

/// Write completions for a shell
#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

impl Completions {
    /// Writes the completions to the output.
    pub(crate) fn run(&self) -> Result<Status, Stop> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut crate::command(), "shisa", &mut text);
        std::io::stdout().lock().write_all(&text)?;
        Ok(Status::Fine)
    }
}
