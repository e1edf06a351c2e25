//! Changes of the sources, and the lists that have them.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// A line `CRATE/NAME: WHAT CHANGES`, a line with the file, lines `- TEXT` and lines `+ TEXT` in place of them.
#[derive(Debug, Default)]
pub(super) struct Edit {
    pub name: String,
    pub what: String,
    pub file: PathBuf,
    pub old: String,
    pub new: String,
}

impl Edit {
    pub(super) fn parse(paragraph: &str) -> Result<Edit, String> {
        let mut lines = paragraph.lines();
        let wrong = || format!("this is no change of the sources:\n{paragraph}");
        let (name, what) = lines.next().and_then(|l| l.split_once(": ")).ok_or_else(wrong)?;
        let mut edit = Edit { name: name.into(), what: what.into(), ..Edit::default() };
        edit.file = lines.next().ok_or_else(wrong)?.into();
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for line in lines {
            match (line.strip_prefix("- "), line.strip_prefix("+ ")) {
                (Some(text), _) => old.push(text),
                (_, Some(text)) => new.push(text),
                _ => return Err(wrong()),
            }
        }
        (edit.old, edit.new) = (old.join("\n"), new.join("\n"));
        let whole = name.contains('/') && !old.is_empty() && !new.is_empty() && old != new;
        whole.then_some(edit).ok_or_else(wrong)
    }

    /// The crate that it changes, without `shisa-`.
    pub(super) fn group(&self) -> &str {
        self.name.split_once('/').map_or("", |(group, _)| group)
    }

    /// The changed source; `None` if the text does not occur exactly once.
    pub(super) fn apply(&self, source: &str) -> Option<String> {
        (source.matches(&self.old).count() == 1).then(|| source.replace(&self.old, &self.new))
    }
}

/// All changes of a list, in its order. Paragraphs that begin with `#` are comments.
pub(super) fn list(file: &Path) -> Result<Vec<Edit>, Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let paragraphs = text.split("\n\n").map(str::trim).filter(|p| !p.is_empty() && !p.starts_with('#'));
    Ok(paragraphs
        .map(|p| Edit::parse(p).map_err(|e| format!("{}: {e}", file.display())))
        .collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_change_can_be_made() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for file in [super::super::LIST, super::super::rows::LIST] {
            let edits = list(&root.join(file)).unwrap();
            let names: BTreeSet<&str> = edits.iter().map(|e| e.name.as_str()).collect();
            assert_eq!(names.len(), edits.len(), "two changes of {file} have the same name");
            for edit in edits {
                let source = fs::read_to_string(root.join(&edit.file)).unwrap_or_default();
                let (name, file) = (&edit.name, edit.file.display());
                assert!(
                    edit.apply(&source).is_some(),
                    "{name}: its text must occur once in {file}:\n{}",
                    edit.old
                );
            }
        }
    }

    #[test]
    fn a_text_that_occurs_twice_or_never_is_stale() {
        let edit = Edit::parse("ir/name: what breaks\nfile.rs\n- a\n-b\n+ c").unwrap_err();
        assert!(edit.contains("this is no change"), "a line begins with neither sign and a space");
        let edit = Edit::parse("ir/name: what breaks\nfile.rs\n- a\n-   b\n+ c").unwrap();
        assert_eq!((edit.group(), edit.old.as_str()), ("ir", "a\n  b"));
        assert_eq!(edit.apply("xa\n  by").as_deref(), Some("xcy"));
        assert_eq!([edit.apply("a\n  ba\n  b"), edit.apply("a b")], [None, None]);
    }
}
