//! The README shows the same programs as the crate's documentation, where they are compiled and run.

/// The lines of a document that readers see.
fn shown(document: &str) -> String {
    document.lines().filter(|line| !line.starts_with("# Ok::")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_readme_shows_the_doctests() {
    let readme = include_str!("../../../../README.md");
    for document in
        [include_str!("../../../shisa/doc/examples.md"), include_str!("../../../shisa/doc/families.md")]
    {
        assert!(readme.contains(shown(document).trim_end()), "README.md does not show:\n{document}");
    }
}
