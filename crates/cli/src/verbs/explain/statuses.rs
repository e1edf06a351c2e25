//! The exit statuses of the command.

use crate::stop::Status;
use shisa::explain::Explanation;

/// The exit status with a number, or all of them.
pub(super) fn explain(word: &str) -> Option<Explanation> {
    if matches!(word, "exit-status" | "status") {
        let lines = Status::ALL.iter().map(|status| format!("{}  {}", status.number(), status.about()));
        let about = "How the command ended, as the number that a shell has in `$?`. Of several files, the worst counts.";
        return Some(
            Explanation::new("exit-status, status", "exit status", about).section("Values", lines.collect()),
        );
    }
    let status = Status::ALL.into_iter().find(|status| status.number().to_string() == word)?;
    Some(Explanation::new(word, "exit status", status.about()))
}
