//! The README shows the same programs as the crate's documentation, where they are compiled and run.

#[test]
fn the_readme_shows_the_doctests() {
    let readme = include_str!("../../../README.md");
    let examples = include_str!("../doc/examples.md");
    let hidden = |line: &&str| !line.starts_with("# ");
    let shown: Vec<&str> = examples.lines().filter(hidden).collect();
    assert!(readme.contains(&shown.join("\n")), "README.md does not show crates/shisa/doc/examples.md");
}
