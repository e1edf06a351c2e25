//! The documented properties of the crate: texts, positions, counts and limits.

use shisa_diag::{Confidence, Diagnostic, Limit, Limits, Place, Severity, Span, escape, line_column};

fn error(message: &str) -> Diagnostic {
    Diagnostic::error("some-code", message)
}

#[test]
fn severities_have_names_and_an_order() {
    let all = [Severity::Note, Severity::Warning, Severity::Error];
    assert_eq!(all.map(Severity::name), ["note", "warning", "error"]);
    assert!(all.is_sorted());
    let all = [Confidence::Possible, Confidence::Likely, Confidence::Certain];
    assert_eq!(all.map(Confidence::name), ["possible", "likely", "certain"]);
    assert!(all.is_sorted());
}

#[test]
fn a_diagnostic_holds_what_is_put_into_it() {
    let d = Diagnostic::warning("some-code", "message").at_text(3..5, "here").at_bytes(7..9, "there");
    let d = d.note("fact").note("another").help("advice");
    assert_eq!(d.to_string(), "warning[some-code]: message");
    assert_eq!((d.code, d.severity, d.message.as_str()), ("some-code", Severity::Warning, "message"));
    let labels: Vec<_> = d.labels.iter().map(|l| (l.place, l.span.range(), l.text.as_str())).collect();
    assert_eq!(labels, [(Place::Text, 3..5, "here"), (Place::Bytes, 7..9, "there")]);
    assert_eq!((d.notes, d.help), (vec!["fact".to_string(), "another".into()], vec!["advice".to_string()]));
    assert_eq!(error("message").to_string(), "error[some-code]: message");
    assert_eq!(Diagnostic::new(Severity::Note, "c", "m").severity, Severity::Note);
}

#[test]
fn the_first_label_gives_the_offset() {
    assert_eq!(error("").offset(), None);
    assert_eq!(error("").at_bytes(7..9, "").at_text(1..2, "").offset(), Some(7));
}

#[test]
fn spans_join() {
    let (a, b) = (Span::new(3, 5), Span::from(8..9));
    assert_eq!((a.to(b), b.to(a)), (Span::new(3, 9), Span::new(3, 9)));
    assert_eq!(a.to(Span::new(4, 4)), a);
    assert_eq!(b.range(), 8..9);
}

#[test]
fn lines_and_columns_count_from_1_in_characters() {
    let text = "ab\nçd\n";
    let at: Vec<_> = (0..=9).map(|offset| line_column(text, offset)).collect();
    // Offset 4 is inside the first character of the second line; offsets from 7 on are past the end.
    let (first, second) = ([(1, 1), (1, 2), (1, 3)], [(2, 1), (2, 1), (2, 2), (2, 3)]);
    assert_eq!(at, [&first[..], &second, &[(3, 1); 3]].concat());
    assert_eq!(line_column("", 5), (1, 1));
}

#[test]
fn nothing_that_acts_on_a_terminal_is_printed() {
    assert_eq!(escape("plain çä €"), "plain çä €");
    assert_eq!(escape("a\u{1b}[31m\n\t\u{7f}\u{9b}"), "a\\u{1b}[31m\\n\\t\\u{7f}\\u{9b}");
    for c in ['\u{200b}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{feff}'] {
        assert_eq!(escape(&c.to_string()), format!("\\u{{{:x}}}", u32::from(c)));
    }
    for c in ['\u{200a}', '\u{2010}', '\u{2029}', '\u{202f}', '\u{2065}', '\u{206a}'] {
        assert_eq!(escape(&c.to_string()), c.to_string());
    }
}

/// Every limit by its name: its default can be read, and a new value is read back.
#[test]
fn limits_are_set_by_name() {
    let all = [
        (Limit::File, "file", 64 << 20),
        (Limit::Programs, "programs", 65_536),
        (Limit::Instructions, "instructions", 8_000_000),
        (Limit::Nesting, "nesting", 256),
        (Limit::PrintedNesting, "printed-nesting", 96),
        (Limit::Labels, "labels", 65_536),
        (Limit::Diagnostics, "diagnostics", 1_000),
        (Limit::StructureGrowth, "structure-growth", 4),
        (Limit::Fuel, "fuel", 50_000_000),
        (Limit::TextOut, "text-out", 1 << 30),
        (Limit::LaneSteps, "lane-steps", 16_000_000),
        (Limit::RunSteps, "run-steps", 1_000_000_000),
        (Limit::RunWork, "run-work", 20_000_000),
        (Limit::Memory, "memory", 1 << 30),
    ];
    assert_eq!(Limits::NAMES, all.map(|(_, name, _)| name));
    for (n, (limit, name, default)) in all.into_iter().enumerate() {
        let mut limits = Limits::default();
        assert_eq!((limit.name(), limits.get(limit)), (name, default));
        assert!(limits.set(name, 7000 + n as u64));
        let changed = all.iter().filter(|(other, _, was)| limits.get(*other) != *was).count();
        assert_eq!((limits.get(limit), changed), (7000 + n as u64, 1), "{name} sets itself alone");
    }
    let mut limits = Limits::default();
    assert!(!limits.set("files", 1));
    assert_eq!(limits, Limits::default());
}

#[test]
fn a_limit_may_be_reached_and_not_exceeded() {
    let mut limits = Limits::default();
    limits.set("labels", 3);
    assert_eq!(limits.check(Limit::Labels, "labels", 2usize), Ok(()));
    assert_eq!(limits.check(Limit::Labels, "labels", 3usize), Ok(()));
    let d = limits.check(Limit::Labels, "labels", 4usize).unwrap_err();
    assert_eq!(d.to_string(), "error[limit-exceeded]: labels: 4 exceeds the limit labels=3");
    assert_eq!(d.help.len(), 1);
    // A value that does not fit into 64 bits counts as the largest 64-bit value.
    assert!(limits.check(Limit::Labels, "labels", u128::MAX).is_err());
    limits.set("fuel", u64::MAX);
    assert_eq!(limits.check(Limit::Fuel, "operations", u128::MAX), Ok(()));
}

shisa_diag::values! {
    /// How.
    How {
        /// The usual.
        Usual = "usual",
        /// The other.
        Other = "other",
    }
}

shisa_diag::choices! {
    /// What may be chosen.
    Choices {
        /// The first.
        "one" one: How,
        /// The second.
        "two" two: How,
    }
}

#[test]
fn choices_are_set_by_key_and_value() {
    let mut choices = Choices::DEFAULT;
    assert_eq!((choices, How::DEFAULT, How::default()), (Choices::default(), How::Usual, How::Usual));
    assert!(choices.set("two", "other"));
    assert_eq!((choices.one, choices.two), (How::Usual, How::Other));
    assert!(choices.set("two", "usual") && choices == Choices::DEFAULT);
    assert!(!choices.set("three", "other") && !choices.set("two", "another"));
    assert_eq!((How::parse("other"), How::parse("Other")), (Some(How::Other), None));
    let listed: Vec<_> = Choices::CHOICES.iter().map(|c| (c.key, c.about.trim(), c.values.len())).collect();
    assert_eq!(listed, [("one", "The first.", 2), ("two", "The second.", 2)]);
    let names: Vec<_> = How::VALUES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["usual", "other"]);
}

#[test]
fn quotes_and_backslashes_stay_in_their_string() {
    assert_eq!(shisa_diag::in_quotes(r#"a "b" \l"#), r#"a \"b\" \\l"#);
}
