//! Divides Rust source into code, comments and string literals.

use std::ops::Range;

/// One source text.
pub(crate) struct Lexed {
    /// The text with every comment and every literal of text replaced by blanks. Offsets and lines are those of the
    /// source. Literals keep their quotes.
    pub(crate) code: String,
    /// The contents of string literals, without quotes and as written.
    pub(crate) strings: Vec<(Range<usize>, String)>,
    /// Comments, with their slashes.
    pub(crate) comments: Vec<(Range<usize>, String)>,
}

/// Where the literal of text that begins at `at` ends: its first byte, the first after it, and its quotes' length at
/// either end. `None` where none begins.
fn literal(bytes: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let mut i = at;
    while i < bytes.len() && i < at + 2 && matches!(bytes[i], b'b' | b'c' | b'r') {
        i += 1;
    }
    let raw = bytes[at..i].contains(&b'r');
    let hashes = if raw { bytes[i..].iter().take_while(|b| **b == b'#').count() } else { 0 };
    i += hashes;
    if bytes.get(i) != Some(&b'"') {
        return None;
    }
    let start = i + 1;
    let mut end = start;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' if !raw => end += 1,
            b'"' if bytes[end + 1..].iter().take_while(|b| **b == b'#').count() >= hashes => break,
            _ => {}
        }
        end += 1;
    }
    Some((start..end.min(bytes.len()), 1 + hashes))
}

/// The length of a character literal at `at`; lifetimes are none.
fn character(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at + 1) == Some(&b'\\') {
        let end = bytes[at + 3..].iter().position(|b| *b == b'\'')?;
        return Some(end + 4);
    }
    let end = bytes[at + 1..].iter().take(5).position(|b| *b == b'\'')?;
    let text = std::str::from_utf8(&bytes[at + 1..at + 1 + end]).ok()?;
    (text.chars().count() == 1).then_some(end + 2)
}

/// Divides a source text.
pub(crate) fn lex(source: &str) -> Lexed {
    let bytes = source.as_bytes();
    let mut code = bytes.to_vec();
    let (mut strings, mut comments) = (Vec::new(), Vec::new());
    let mut blank = |range: Range<usize>| {
        for b in &mut code[range] {
            if *b != b'\n' {
                *b = b' ';
            }
        }
    };
    let mut i = 0;
    while i < bytes.len() {
        let in_name = i > 0 && (bytes[i - 1].is_ascii_alphanumeric() || bytes[i - 1] == b'_');
        let rest = &bytes[i..];
        if rest.starts_with(b"//") {
            let end = i + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            comments.push((i..end, source[i..end].to_string()));
            blank(i..end);
            i = end;
        } else if rest.starts_with(b"/*") {
            let (mut depth, mut end) = (1, i + 2);
            while depth > 0 && end < bytes.len() {
                if bytes[end..].starts_with(b"/*") {
                    (depth, end) = (depth + 1, end + 2);
                } else if bytes[end..].starts_with(b"*/") {
                    (depth, end) = (depth - 1, end + 2);
                } else {
                    end += 1;
                }
            }
            comments.push((i..end, source[i..end].to_string()));
            blank(i..end);
            i = end;
        } else if let (false, Some((inner, quotes))) = (in_name, literal(bytes, i)) {
            i = (inner.end + quotes).min(bytes.len());
            strings.push((inner.clone(), source[inner.clone()].to_string()));
            blank(inner);
        } else if bytes[i] == b'\'' {
            match character(bytes, i) {
                Some(n) => {
                    blank(i + 1..i + n - 1);
                    i += n;
                }
                None => i += 1,
            }
        } else {
            i += 1;
        }
    }
    Lexed { code: String::from_utf8(code).expect("whole characters became blanks"), strings, comments }
}

/// The ranges of items that stand under `#[cfg(test)]`, in code without comments and literals.
pub(crate) fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = code[from..].find("#[cfg(test)]").map(|i| i + from) {
        let mut depth = 0usize;
        let mut end = code.len();
        for (i, b) in code.bytes().enumerate().skip(at + "#[cfg(test)]".len()) {
            match b {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        end = i + 1;
                        break;
                    }
                }
                b';' if depth == 0 => {
                    end = i + 1;
                    break;
                }
                _ => {}
            }
        }
        found.push(at..end);
        from = end;
    }
    found
}

#[test]
fn literals_and_comments_are_blanked() {
    let lexed =
        lex("let a = \"b\\\"c\"; // d\nlet e = 'f'; let g: &'h str = r#\"i\"j\"#; /* k /* l */ m */ n");
    assert_eq!(lexed.code.split_whitespace().collect::<String>(), "leta=\"\";lete='';letg:&'hstr=r#\"\"#;n");
    let strings: Vec<&str> = lexed.strings.iter().map(|s| s.1.as_str()).collect();
    assert_eq!(strings, ["b\\\"c", "i\"j"]);
    let comments: Vec<&str> = lexed.comments.iter().map(|s| s.1.as_str()).collect();
    assert_eq!(comments, ["// d", "/* k /* l */ m */"]);
}

#[test]
fn items_under_a_test_condition_end_at_their_brace_or_semicolon() {
    let code = "a; #[cfg(test)] mod b; c; #[cfg(test)] #[x(y)] mod d { e; { f } } g";
    let found: Vec<&str> = test_items(code).into_iter().map(|r| &code[r]).collect();
    assert_eq!(found, ["#[cfg(test)] mod b;", "#[cfg(test)] #[x(y)] mod d { e; { f } }"]);
}
