//! No panic is caught, but around naga.

use crate::ratchet::{Breach, check};
use crate::sources::crates;

/// Where a panic may be caught: naga, which panics on some input, and the campaign, which reports panics.
const ALLOWED: [(&str, &str); 2] = [("translate", "src/through_naga/guard.rs"), ("xtask", "src/campaign.rs")];

#[test]
fn panics_are_not_caught() {
    let all = crates();
    let found: Vec<_> = all
        .iter()
        .map(|krate| {
            let mut breaches = Vec::new();
            for file in &krate.files {
                if ALLOWED.contains(&(krate.name.as_str(), file.path.as_str())) {
                    continue;
                }
                for (at, _) in file.lexed.code.match_indices("catch_unwind") {
                    let what = "catch_unwind".into();
                    breaches.push(Breach { path: file.path.clone(), line: file.line(at), what });
                }
            }
            (krate.name.as_str(), breaches)
        })
        .collect();
    check("unwinding", &found);
}
