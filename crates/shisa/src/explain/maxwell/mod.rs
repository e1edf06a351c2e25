//! What containers of Maxwell code hold, and their codes; special registers.

mod container;
mod special;
mod sph;

use super::Explanation;

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let mut found = container::explain(word);
    found.extend(sph::explain(word));
    found.extend(special::explain(word));
    found
}

pub(super) fn words() -> Vec<String> {
    container::words().chain(sph::words()).chain(special::words()).collect()
}
