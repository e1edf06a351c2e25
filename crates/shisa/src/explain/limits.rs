//! The limits on input and work.

use super::Explanation;
use shisa_diag::{Limit, Limits};

/// The limit with this name, or all of them.
pub(super) fn explain(word: &str) -> Option<Explanation> {
    if matches!(word, "limits" | "limit") {
        return Some(all());
    }
    let limit = Limit::ALL.iter().find(|limit| limit.name() == word)?;
    let lines = vec![value(*limit), format!("--limit {word}=VALUE changes it")];
    Some(Explanation::new(limit.name(), "limit", limit.meaning()).section("Value", lines))
}

/// The default of a limit.
fn value(limit: Limit) -> String {
    format!("{} {}", Limits::default().get(limit), limit.unit())
}

fn all() -> Explanation {
    let width = Limits::NAMES.iter().map(|name| name.len()).max().unwrap_or(0);
    let line = |limit: &Limit| format!("{:width$}  {}", limit.name(), value(*limit));
    let about = "Bounds on input and work. Past one there is the error `limit-exceeded`, which names it; --limit \
                 NAME=VALUE changes it. `file` bounds the size of an input; of cubins, fatbins, and programs and \
                 libraries with CUDA code it bounds the bytes of code that are taken from them, and the command reads \
                 such files up to `memory`.";
    Explanation::new("limits", "concept", about).section("Values", Limit::ALL.iter().map(line).collect())
}

pub(super) fn words() -> impl Iterator<Item = &'static str> {
    Limits::NAMES.iter().copied().chain(["limits", "limit"])
}
