//! `shisa man`

use crate::stop::{Status, Stop};
use std::io::Write;

/// Write a man page: of the command, or of a verb
#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// The verb
    verb: Option<String>,
}

impl Man {
    /// Writes the page to the output.
    pub(crate) fn run(&self) -> Result<Status, Stop> {
        let mut command = crate::command();
        // Building passes the common options to the verbs.
        command.build();
        if let Some(name) = &self.verb {
            let verb = command.find_subcommand(name).cloned();
            let verb = verb.ok_or_else(|| Stop::Failed(format!("there is no verb {name}")))?;
            command = verb;
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        std::io::stdout().lock().write_all(&page)?;
        Ok(Status::Fine)
    }
}
