//! The façade's verbs do not tell families apart.
//!
//! A breach is a variant of `Isa` (`Isa::Agx`) in the façade or the command outside of `family/` and tests.

use crate::ratchet::{Breach, check};
use crate::sources::crates;

#[test]
fn verbs_name_no_family() {
    let all = crates();
    let found: Vec<_> = all
        .iter()
        .filter(|c| ["shisa", "cli"].contains(&c.name.as_str()))
        .map(|krate| {
            let mut breaches = Vec::new();
            for file in krate.files.iter().filter(|f| !f.below("family")) {
                let code = &file.lexed.code;
                for (at, _) in code.match_indices("Isa::") {
                    let variant = code[at + 5..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
                    let is_variant =
                        variant.chars().any(char::is_lowercase) && variant.starts_with(char::is_uppercase);
                    if is_variant && !file.in_tests(at) {
                        let what = format!("Isa::{variant}");
                        breaches.push(Breach { path: file.path.clone(), line: file.line(at), what });
                    }
                }
            }
            (krate.name.as_str(), breaches)
        })
        .collect();
    assert_eq!(found.len(), 2);
    check("family names", &found);
}
