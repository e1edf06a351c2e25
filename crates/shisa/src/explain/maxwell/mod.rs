//! What containers of Maxwell code hold; codes of what is wrong with them and with words; special registers.

mod code;
mod container;
mod special;
mod sph;

use super::Explanation;

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let mut found = code::explain(word);
    found.extend(container::explain(word));
    found.extend(sph::explain(word));
    found.extend(special::explain(word));
    found
}

pub(super) fn words() -> Vec<String> {
    code::words().chain(container::words()).chain(sph::words()).chain(special::words()).collect()
}
