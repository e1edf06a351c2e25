//! No text or comment has a path of somebody's computer.

use crate::ratchet::{Breach, check};
use crate::sources::crates;
use std::path::Path;

/// What such paths begin with. Temporary files belong in the folder that the system states.
const BEGINS: [&str; 4] = ["/tmp/", "/home/", "/root/", "/Users/"];

/// The folder that has the repository; none if it is the computer's root.
fn own() -> Option<String> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let folder = repository.parent().filter(|folder| folder.parent().is_some())?;
    Some(format!("{}/", folder.display()))
}

#[test]
fn no_path_is_of_one_computer() {
    let all = crates();
    let own = own();
    let begins = || BEGINS.into_iter().chain(own.as_deref());
    let found: Vec<_> = all
        .iter()
        .map(|krate| {
            let mut breaches = Vec::new();
            for file in &krate.files {
                for (range, text) in file.lexed.strings.iter().chain(&file.lexed.comments) {
                    if let Some(path) = begins().find(|begin| text.contains(begin)) {
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
