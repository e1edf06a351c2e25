//! Named choices of an instruction set.

use super::Explanation;
use shisa_diag::Choice;

/// The choice with this name.
pub(crate) fn explain(choices: &[Choice], kind: &'static str, word: &str) -> Option<Explanation> {
    let choice = choices.iter().find(|c| c.key == word)?;
    let values = choice.values.iter().enumerate().map(|(i, (value, about))| {
        let default = if i == 0 { " (default)" } else { "" };
        format!("{}={value}{default}: {}", choice.key, about.trim())
    });
    Some(Explanation::new(choice.key, kind, choice.about.trim()).section("Values", values.collect()))
}
