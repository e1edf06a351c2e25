//! No text or comment has a path of somebody's computer.

use crate::ratchet::{Breach, check};
use crate::sources::crates;

/// What such paths begin with. Temporary files belong in the folder that the system states.
const BEGINS: [&str; 5] = ["/tmp/", "/home/", "/root/", "/Users/", "/work/"];

#[test]
fn no_path_is_of_one_computer() {
    let all = crates();
    let found: Vec<_> = all
        .iter()
        .map(|krate| {
            let mut breaches = Vec::new();
            for file in &krate.files {
                for (range, text) in file.lexed.strings.iter().chain(&file.lexed.comments) {
                    if let Some(path) = BEGINS.iter().find(|begin| text.contains(**begin)) {
                        let what = format!("`{path}`");
                        breaches.push(Breach { path: file.path.clone(), line: file.line(range.start), what });
                    }
                }
            }
            (krate.name.as_str(), breaches)
        })
        .collect();
    check("computers", &found);
}
