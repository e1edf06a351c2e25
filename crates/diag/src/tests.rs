#![allow(unreachable_pub, reason = "the macros under test declare public items")]

use crate::{
    Confidence, Diagnostic, Label, Limit, Limits, Place, Severity, Sink, Source, Span, choices, escape,
    line_column, other_unicode, values,
};
#[cfg(feature = "render")]
use crate::{render, render_in};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

#[test]
fn diagnostics_carry_what_they_were_given() {
    let d = Diagnostic::error("a-code", "text")
        .at_text(3..5, "first")
        .at_bytes(Span::new(7, 9), "second")
        .note("a fact")
        .note("another")
        .help("advice");
    let label = |place, start, end, text: &str| Label {
        place,
        span: Span { start, end },
        text: text.into(),
        fix: None,
    };
    assert_eq!(d.labels, [label(Place::Text, 3, 5, "first"), label(Place::Bytes, 7, 9, "second")]);
    assert_eq!((d.offset(), d.severity, d.code), (Some(3), Severity::Error, "a-code"));
    assert_eq!((d.notes.len(), &d.notes[1][..], &d.help[0][..]), (2, "another", "advice"));
    assert_eq!(d.to_string(), "error[a-code]: text");
    let warning = Diagnostic::warning("b", "c");
    assert_eq!((warning.to_string(), warning.offset()), ("warning[b]: c".into(), None));
    assert_eq!(Diagnostic::new(Severity::Note, "n", "m").to_string(), "note[n]: m");
}

#[test]
fn fixes_replace_parts_of_a_source() {
    let of_text = Diagnostic::error("c", "m").at_text(3..5, "").fix("new");
    assert_eq!(of_text.labels[0].fix.as_deref(), Some("new"));
    let of_bytes = Diagnostic::error("c", "m").at_bytes(3..5, "").fix("new");
    assert_eq!(of_bytes.labels[0].fix, None);
    assert!(Diagnostic::error("c", "m").fix("new").labels.is_empty());
}

#[test]
fn internal_errors_say_what_to_report() {
    let d = Diagnostic::internal("internal-test", "this cannot be");
    assert_eq!(d.severity, Severity::Error);
    assert!(d.help.len() == 1 && d.help[0].contains("report") && d.help[0].contains("shisa"), "{d:?}");
}

#[test]
fn severities_and_confidences_have_an_order() {
    assert!(Severity::Note < Severity::Warning && Severity::Warning < Severity::Error);
    assert!(Confidence::Possible < Confidence::Likely && Confidence::Likely < Confidence::Certain);
    let names = [Confidence::Possible, Confidence::Likely, Confidence::Certain].map(Confidence::name);
    assert_eq!(names, ["possible", "likely", "certain"]);
}

#[test]
fn spans_cover_both() {
    let (a, b) = (Span::new(4, 6), Span::from(9..10));
    assert_eq!((a.to(b), b.to(a)), (Span::new(4, 10), Span::new(4, 10)));
    assert_eq!(Span::new(2, 20).to(a), Span::new(2, 20), "one inside the other");
    assert_eq!(&"abcdefgh"[a.range()], "ef");
    assert_eq!(Span::default(), Span::new(0, 0));
}

fn codes(list: &[Diagnostic]) -> Vec<&'static str> {
    list.iter().map(|d| d.code).collect()
}

/// The first diagnostics are stored in order; the others are only counted, including their errors.
#[test]
fn sinks_store_the_first_and_count_the_rest() {
    let mut sink = Sink::new(2);
    sink.push(Diagnostic::error("e1", ""));
    sink.extend([Diagnostic::error("e2", ""), Diagnostic::error("e3", ""), Diagnostic::warning("w4", "")]);
    assert_eq!((sink.errors(), sink.dropped(), sink.is_empty()), (3, 2, false));
    assert!(!sink.stores(Severity::Error) && !sink.stores(Severity::Note));
    let list = sink.finish();
    assert_eq!(codes(&list), ["e1", "e2", "limit-diagnostics"]);
    assert_eq!(list[2].severity, Severity::Error);
    assert_eq!(list[2].message, "2 more diagnostics are not shown: 1 error, 1 warning");
    assert!(list[2].notes[0].contains("diagnostics=2"), "{:?}", list[2]);
}

/// Errors take the slots of the last notes and warnings, and the order of those that stay is that of their discovery.
#[test]
fn errors_push_out_what_is_less_severe() {
    let mut sink = Sink::new(3);
    sink.extend([Diagnostic::warning("w1", ""), Diagnostic::new(Severity::Note, "n2", "")]);
    sink.extend([Diagnostic::warning("w3", ""), Diagnostic::error("e4", "")]);
    assert!(sink.stores(Severity::Error) && !sink.stores(Severity::Warning));
    sink.push(Diagnostic::error("e5", ""));
    let list = sink.finish();
    assert_eq!(codes(&list), ["w1", "e4", "e5", "limit-diagnostics"]);
    assert_eq!(list[3].severity, Severity::Warning);
    assert_eq!(list[3].message, "2 more diagnostics are not shown: 1 warning, 1 note");
}

/// With room for nothing, the highest severity still survives.
#[test]
fn a_limit_of_zero_hides_no_error() {
    let mut sink = Sink::new(0);
    sink.extend([Diagnostic::warning("w1", ""), Diagnostic::error("e2", ""), Diagnostic::warning("w3", "")]);
    let list = sink.finish();
    assert_eq!((list.len(), list[0].severity), (1, Severity::Error));
}

/// Joined sinks add up; what is left out is not counted.
#[test]
fn sinks_are_joined() {
    let mut all = Sink::new(2);
    all.push(Diagnostic::warning("w1", ""));
    let mut own = Sink::new(2);
    own.extend([Diagnostic::error("e2", ""), Diagnostic::error("e3", ""), Diagnostic::error("e4", "")]);
    all.join(own, |d| (d.code != "e3").then_some(d));
    assert_eq!((all.errors(), all.dropped()), (2, 1));
    assert_eq!(codes(&all.finish()), ["w1", "e2", "limit-diagnostics"]);
}

#[test]
fn sinks_at_their_limit_add_no_note() {
    let mut sink = Sink::new(2);
    sink.extend([Diagnostic::error("e1", ""), Diagnostic::error("e2", "")]);
    assert_eq!((sink.dropped(), sink.finish().len()), (0, 2));
    let mut none = Sink::new(0);
    none.push(Diagnostic::error("e1", ""));
    assert_eq!((none.errors(), none.dropped()), (1, 1));
}

#[test]
fn limits_are_set_by_their_names() {
    let all = Limits::default();
    let mut seen = Vec::new();
    for (i, name) in Limits::NAMES.iter().enumerate() {
        assert!(!seen.contains(name), "{name} twice");
        seen.push(*name);
        let mut limits = Limits::default();
        assert!(limits.set(name, 12_345 + i as u64), "{name}");
        // Exactly one limit has changed, and it has this name.
        let changed: Vec<_> = LIMITS.into_iter().filter(|l| limits.get(*l) != all.get(*l)).collect();
        assert_eq!(changed.len(), 1, "{name}");
        assert_eq!((changed[0].name(), limits.get(changed[0])), (*name, 12_345 + i as u64));
    }
    assert_eq!(seen.len(), LIMITS.len());
    let mut limits = Limits::default();
    assert!(!limits.set("no-such-limit", 1) && limits == all);
}

const LIMITS: [Limit; 14] = [
    Limit::File,
    Limit::Programs,
    Limit::Instructions,
    Limit::Nesting,
    Limit::PrintedNesting,
    Limit::Labels,
    Limit::Diagnostics,
    Limit::StructureGrowth,
    Limit::Fuel,
    Limit::TextOut,
    Limit::LaneSteps,
    Limit::RunSteps,
    Limit::RunWork,
    Limit::Memory,
];

/// The bound itself is allowed.
#[test]
fn limits_for_strangers_are_tighter_everywhere() {
    let (strict, usual) = (Limits::untrusted(), Limits::default());
    for limit in Limit::ALL {
        assert!((1..usual.get(*limit)).contains(&strict.get(*limit)), "{}", limit.name());
    }
    let mib = |limit| strict.get(limit) >> 20;
    assert_eq!([Limit::File, Limit::TextOut, Limit::Memory].map(mib), [4, 16, 64]);
}

#[test]
fn text_in_other_encodings_is_recognised() {
    let utf16 =
        |text: &str, order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    for text in ["mov oc, fc0", "a b", "ab", "\tx\n"] {
        assert_eq!(other_unicode(&utf16(text, u16::to_le_bytes)), Some("UTF-16"), "{text:?}");
        assert_eq!(other_unicode(&utf16(text, u16::to_be_bytes)), Some("UTF-16"), "{text:?}");
        assert_eq!(other_unicode(text.as_bytes()), None, "{text:?}");
    }
    assert_eq!(other_unicode(&utf16("a", u16::to_le_bytes)), None, "one character is too little");
    assert_eq!(other_unicode(&utf16("é€", u16::to_le_bytes)), None);
    assert_eq!(other_unicode(&[0xff, 0xfe, b'a', 0]), Some("UTF-16"));
    assert_eq!(other_unicode(&[0xfe, 0xff]), Some("UTF-16"));
    assert_eq!(other_unicode(&[0xff, 0xfe, 0, 0]), Some("UTF-32"));
    assert_eq!(other_unicode(&[0, 0, 0xfe, 0xff]), Some("UTF-32"));
    // Only the first characters decide.
    let mut long = utf16(&"x".repeat(40), u16::to_le_bytes);
    long.extend([1, 2, 3, 4]);
    assert_eq!(other_unicode(&long), Some("UTF-16"));
    long[10] = 1;
    assert_eq!(other_unicode(&long), None);
}

#[test]
fn limits_refuse_only_more_than_their_bound() {
    let limits = Limits { labels: 10, ..Limits::default() };
    assert_eq!(limits.check(Limit::Labels, "labels", 10), Ok(()));
    let d = limits.check(Limit::Labels, "labels", 11).unwrap_err();
    assert_eq!((d.code, &d.message[..]), ("limit-exceeded", "labels: 11 exceeds the limit labels=10"));
    assert_eq!(d.help.len(), 1);
    let fuel = Limits { fuel: 3, ..limits.clone() }.bound(Limit::Fuel);
    assert_eq!((fuel.value(), fuel.check("x", 3usize)), (3, Ok(())));
    assert!(fuel.check("x", 4u64).is_err());
    // A number that does not fit into 64 bits exceeds every bound except the largest.
    let most = Limits { fuel: u64::MAX - 1, ..limits.clone() };
    assert!(most.check(Limit::Fuel, "x", u128::MAX).is_err());
    assert_eq!(limits.exceeded(Limit::Labels, "much").message, "much exceeds the limit labels=10");
}

/// Where less than the limit is supported, the limit does not help and is not named.
#[test]
fn what_is_not_supported_is_not_blamed_on_a_limit() {
    let labels = Limits { labels: 10, ..Limits::default() }.bound(Limit::Labels);
    assert_eq!(labels.check_up_to(5, "labels", 5), Ok(()));
    let d = labels.check_up_to(5, "labels", 6).unwrap_err();
    assert_eq!(
        (d.code, &d.message[..]),
        ("limit-exceeded", "labels: 6 exceeds 5, the largest number that is supported")
    );
    assert_eq!(d.help, ["no limit raises that"]);
    let d = labels.check_up_to(10, "labels", 11).unwrap_err();
    assert_eq!(d.message, "labels: 11 exceeds the limit labels=10");
}

values! {
    /// A colour.
    Colour {
        /// Like blood.
        Red = "red",
        /// Like grass,
        /// or leaves.
        Green = "green",
    }
}

choices! {
    /// Two choices.
    Paint {
        /// Of the wall.
        "wall" wall: Colour,
        /// Of the door.
        "door" door: Colour,
    }
}

#[test]
fn choices_are_set_by_key_and_value() {
    let mut paint = Paint::default();
    assert_eq!((paint, paint.wall, paint.door), (Paint::DEFAULT, Colour::Red, Colour::DEFAULT));
    assert!(paint.set("door", "green"));
    assert_eq!((paint.wall, paint.door), (Colour::Red, Colour::Green));
    for (key, value) in [("door", "blue"), ("roof", "red"), ("", ""), ("wall", "Red")] {
        assert!(!paint.set(key, value), "{key}={value}");
    }
    assert_eq!((paint.wall, paint.door), (Colour::Red, Colour::Green), "a refused value changes nothing");
    assert_eq!(Colour::parse("green"), Some(Colour::Green));
    assert_eq!(Colour::VALUES, [("red", " Like blood."), ("green", " Like grass, or leaves.")]);
    let keys: Vec<_> = Paint::CHOICES.iter().map(|c| (c.key, c.about, c.values.len())).collect();
    assert_eq!(keys, [("wall", " Of the wall.", 2), ("door", " Of the door.", 2)]);
}

#[test]
fn lines_and_columns_count_characters_from_one() {
    let text = "ab\nçd\n\nx";
    let at = |offset| line_column(text, offset);
    assert_eq!([at(0), at(1), at(2)], [(1, 1), (1, 2), (1, 3)]);
    // `ç` has two bytes, at offsets 3 and 4; the second one counts as the first.
    assert_eq!([at(3), at(4), at(5)], [(2, 1), (2, 1), (2, 2)]);
    assert_eq!([at(7), at(8), at(9), at(99)], [(3, 1), (4, 1), (4, 2), (4, 2)]);
    assert_eq!(line_column("", 0), (1, 1));
}

#[test]
fn text_for_a_terminal_has_no_control_characters() {
    assert_eq!(escape("plain ünïcode 漢"), "plain ünïcode 漢");
    assert_eq!(escape("a\u{1b}[31m\n\t"), "a\\u{1b}[31m\\n\\t");
    for hidden in
        ['\u{200b}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{feff}', '\u{7f}']
    {
        let text = format!("a{hidden}b");
        assert_eq!(escape(&text), format!("a\\u{{{:x}}}b", u32::from(hidden)));
    }
    assert_eq!(escape("\u{200a}\u{2010}\u{2029}\u{202f}").chars().count(), 4, "neighbours are visible");
}

#[cfg(feature = "render")]
#[test]
fn rendered_text_shows_the_lines_and_escapes_them() {
    use crate::render;
    let d = Diagnostic::error("a-code", "bad \u{1b}word").at_text(4..7, "here").note("a fact").help("do it");
    let text = render(&d, "file.txt", Some("one two\nthree"), false);
    for part in [
        "error[a-code]: bad \\u{1b}word",
        "file.txt:1:5",
        "one two",
        "^^^ here",
        "note: a fact",
        "help: do it",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(!text.contains("three") && !text.contains('\u{1b}'), "{text}");
    // Spaces of the same length replace control characters, so that the excerpt is harmless and labels fit.
    for source in ["one\u{1b}two\nthree", "one\u{c}two\nthree", "o\u{85}\u{c}two\u{9f}\nthree"] {
        let text = render(&d, "file.txt", Some(source), false);
        assert!(text.contains("file.txt:1:") && text.contains("^^^ here"), "{text}");
        assert!(text.chars().all(|c| !c.is_control() || c == '\n'), "{text}");
    }
    let binary = Diagnostic::warning("b", "m").at_bytes(16..32, "");
    let text = render(&binary, "x.bin", None, false);
    assert!(text.contains("warning[b]: m") && text.contains("at x.bin, bytes 0x10 to 0x20"), "{text}");
    assert!(!text.contains("-->"), "the file is named once\n{text}");
    assert!(render(&d, "", Some("one two"), true).contains('\u{1b}'), "colours");
    // Spans past the end of the text, or inside a character, are clipped.
    let far = Diagnostic::error("c", "m").at_text(1..99, "x");
    let text = render(&far, "f", Some("é"), false);
    assert!(text.contains('é') && text.contains("--> f:1:1"), "{text}");
    let unplaced = render(&Diagnostic::error("c", "m"), "f.txt", None, false);
    assert!(unplaced.contains("f.txt"), "{unplaced}");
}

#[test]
fn labels_of_nothing_have_no_offset() {
    assert_eq!(Diagnostic { labels: vec![], ..Diagnostic::error("c", "m") }.offset(), None);
}

#[test]
fn a_source_finds_positions_without_scans() {
    let mut text = "ab\nçd\n\nx".to_owned();
    let long: String = (0..5000).map(|i| if i % 3 == 0 { 'é' } else { 'y' }).collect();
    text.extend(["\n", &long, "\n", &long]);
    let source = Source::new(&text);
    assert_eq!(source.text(), text);
    for at in (0..text.len() + 3).step_by(7).chain(0..20) {
        assert_eq!(source.line_column(at), line_column(&text, at), "{at}");
    }
    assert_eq!(Source::new("").line_column(0), (1, 1));
}

/// Excerpts contain the lines with labels, whatever the size of the source; far labels have excerpts of their own.
#[cfg(feature = "render")]
#[test]
fn excerpts_do_not_depend_on_the_size_of_the_source() {
    let line = "mov r0, r1\n";
    let text = line.repeat(100_000);
    let source = Source::new(&text);
    let near = Diagnostic::error("code", "text").at_text(11..14, "here").at_text(22..25, "there");
    let far =
        Diagnostic::error("code", "text").at_text(11..14, "here").at_text(1_099_989..1_099_992, "there");
    let end = Diagnostic::error("code", "text").at_text(text.len()..text.len(), "end");
    let shown = |d: &Diagnostic| render_in(d, "a", Some(&source), false);
    assert_eq!(shown(&near), render(&near, "a", Some(&line.repeat(3)), false));
    assert!(shown(&far).contains("--> a:2:1") && shown(&far).contains("::: a:100000:1"), "{}", shown(&far));
    assert_eq!(
        shown(&end).replace("100000", "3").replace("100001", "4").lines().next(),
        Some("error[code]: text")
    );
    let begun = std::time::Instant::now();
    (0..2000).for_each(|_| drop((shown(&near), shown(&far), shown(&end))));
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
}

#[test]
fn findings_have_the_order_in_which_they_were_pushed() {
    let mut sink = Sink::new(3);
    assert!(sink.is_empty() && sink.stores(Severity::Note));
    sink.push(Diagnostic::warning("c", "first"));
    sink.push(Diagnostic::error("c", "second"));
    assert!(!sink.is_empty() && sink.stores(Severity::Note));
    sink.push(Diagnostic::warning("c", "third"));
    assert!(!sink.stores(Severity::Note) && sink.stores(Severity::Error));
    let messages: Vec<_> = sink.into_parts().0.into_iter().map(|d| d.message).collect();
    assert_eq!(messages, ["first", "second", "third"]);
    let mut none = Sink::new(0);
    none.push(Diagnostic::warning("c", "dropped"));
    assert!(!none.is_empty(), "what was only counted was pushed");
}
