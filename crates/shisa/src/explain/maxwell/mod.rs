//! What containers of Maxwell code hold, and their codes.

mod container;

use super::Explanation;

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    container::explain(word)
}

pub(super) fn words() -> Vec<String> {
    container::words().collect()
}
