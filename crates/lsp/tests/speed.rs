//! The time of answers about a source of 5,000 lines.

use crate::client::{Client, URI, range};
use serde_json::json;
use std::time::{Duration, Instant};

/// The number of lines of the sources.
const LINES: usize = 5_000;
/// The longest time of an answer.
const MOST: Duration = Duration::from_millis(10);
/// A line after those that can state the language. A change of line 1 states none.
const HEAD: usize = 20;
/// The most lines that a change of a part of a line, or a new line, makes the server read.
const MOST_LINES: usize = 3;
/// What editors request after a change.
const AFTER_A_CHANGE: [&str; 5] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/definition",
    "textDocument/documentHighlight",
];
/// A computer that does other work needs several tries.
const TRIES: usize = 32;

/// The shortest time of several tries.
fn shortest(mut act: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        act();
        start.elapsed()
    };
    (0..TRIES).map(time).min().unwrap_or_default()
}

/// A source of some lines: its beginning, a line that is repeated, and its end.
fn source(begin: &str, line: impl Fn(usize) -> String, end: &str) -> String {
    let lines = LINES - begin.lines().count() - end.lines().count();
    format!("{begin}{}{end}", (0..lines).map(line).collect::<String>())
}

/// A source in each language, with the column of a mnemonic and that of an operand in its lines.
fn cases() -> [(&'static str, String, [usize; 2]); 4] {
    [
        (
            "agal",
            source(
                "// agal 4 fragment\n",
                |n| format!("mul ft{}, v0, fc{}\n", n % 20, n % 60),
                "mov oc, ft0\n",
            ),
            [1, 5],
        ),
        (
            "pica200",
            source(
                ".fvec tint\n.out o position\n.proc main\n",
                |n| format!("\tmul r{}, tint, r{}\n", n % 16, n % 7),
                "\tend\n.end\n",
            ),
            [2, 6],
        ),
        (
            "maxwell",
            source(
                ".code \"m\"\n",
                |n| format!("l{n}: FADD R{}, R{}, R{} ; {{--:-:-:-:6}}\n", n % 99, n % 77, n % 55),
                "EXIT ; {--:-:-:-:f}\n",
            ),
            [9, 13],
        ),
        (
            "agx",
            source("start:\n", |n| format!("    iadd r{}, r{}, {}\n", n % 99, n % 77, n % 55), "    stop\n"),
            [5, 10],
        ),
    ]
}

#[test]
#[ignore = "times depend on what else the computer does"]
fn hover_and_completion_take_at_most_ten_milliseconds() {
    for (language, text, [mnemonic, operand]) in cases() {
        let mut client = Client::of(language, &text);
        client.findings();
        let middle = LINES / 2;
        let typed = |client: &mut Client, text: &str, end: usize| {
            client.change(2, json!([{"range": range([middle, 0, middle, end]), "text": text}]));
        };
        for (what, character) in [("mnemonic", mnemonic), ("operand", operand)] {
            for known in [true, false] {
                let mut hover = || {
                    let start = Instant::now();
                    assert_ne!(client.hover(middle, character), "", "{language} {what}");
                    start.elapsed()
                };
                let first = hover();
                let rest = (1..TRIES).map(|_| hover()).min().unwrap_or(first);
                println!(
                    "{language}: hover over a {what} {rest:?}, the first {first:?}, with the program: {known}"
                );
                assert!(rest <= MOST, "{language}: hover over a {what} takes {rest:?}");
                let time = shortest(|| {
                    assert!(!client.completions(middle, character).is_empty(), "{language} {what}");
                });
                println!("{language}: completion of a {what} {time:?}");
                assert!(time <= MOST, "{language}: completion of a {what} takes {time:?}");
                let time = shortest(|| {
                    typed(&mut client, " ", 0);
                    typed(&mut client, "", 1);
                    client.completions(middle, character);
                });
                println!("{language}: two changes and a completion {time:?}");
                assert!(time <= MOST, "{language}: the first completion after a change takes {time:?}");
            }
            let start = Instant::now();
            client.findings();
            println!("{language}: findings and program {:?}", start.elapsed());
        }
        let params = json!({"textDocument": {"uri": URI}});
        let time = shortest(|| {
            client.ask("textDocument/semanticTokens/full", params.clone());
        });
        println!("{language}: all semantic tokens {time:?}");
    }
}

#[test]
fn a_change_reads_the_lines_that_it_changes() {
    for (language, text, [_, operand]) in cases() {
        assert_eq!(text.lines().count(), LINES, "{language}");
        let mut client = Client::of(language, &text);
        client.findings();
        let middle = LINES / 2;
        // The first answer reads all lines.
        client.at(AFTER_A_CHANGE[0], middle, operand);
        // However long a source is, a change reads the lines that it changes, wherever they are.
        for line in [1, HEAD, middle, LINES - 1] {
            for (text, end) in [("x", 0), ("", 1), ("x\n", 0)] {
                let before = client.server.lines_read();
                let range = range([line, 0, line, end]);
                client.change(2, json!([{"range": range, "text": text}]));
                for method in AFTER_A_CHANGE {
                    client.at(method, middle, operand);
                }
                let read = client.server.lines_read() - before;
                assert!(
                    (1..=MOST_LINES).contains(&read),
                    "{language}: {read} lines after a change of line {line}"
                );
            }
            client.change(2, json!([{"range": range([line, 0, line + 1, 0]), "text": ""}]));
        }
    }
}
