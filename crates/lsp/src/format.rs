//! Formatting: the columns of our listings. Only blanks between words change, so the program stays the same.

use crate::document::Source;
use crate::message::Answer;
use crate::request::Request;
use serde_json::{Value, json};
use shisa::diag::Span;
use shisa::rows::editing::{Class, Statement, Token};

/// The changes that format a document, or the lines of a range of it.
pub(crate) fn format(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let wanted = match &request.params["range"] {
        Value::Null => Span::new(0, text.as_str().len()),
        range => text.span(range)?,
    };
    let Some(source) = request.document.source() else { return Ok(json!([])) };
    let mut edits = Vec::new();
    for number in text.line(wanted.start)..=text.line(wanted.end) {
        let Some(span) = text.line_span(number) else { continue };
        let Some(line) = line(&source, span) else { continue };
        if line != source.str(span) {
            edits.push(json!({"range": text.range(span), "newText": line}));
        }
    }
    Ok(edits.into())
}

/// A line of the source, formatted; `None` for one that stays as it is.
fn line(source: &Source<'_>, span: Span) -> Option<String> {
    let tokens = &source.outline.tokens;
    let first = tokens.partition_point(|token| token.span.end <= span.start);
    let here = tokens.iter().skip(first).take_while(|token| token.span.start < span.end);
    let here: Vec<Token> = here.copied().collect();
    let Some(begin) = here.first() else {
        // Blanks at the end of an empty line go; what is no token stays.
        return source.str(span).trim().is_empty().then(String::new);
    };
    // The end of a comment of several lines is in columns of its own, and expressions are.
    if source.editing.grammar().expressions || begin.class == Class::Comment {
        return Some(source.str(span).trim_end().to_owned());
    }
    let statement = source.outline.statement_at(source.text.as_str(), begin.span.start.max(span.start));
    let statement = source.outline.statements.get(statement?)?;
    Some(statement_line(source, &here, statement, span))
}

/// A line with a statement.
fn statement_line(source: &Source<'_>, tokens: &[Token], statement: &Statement, line: Span) -> String {
    let grammar = source.editing.grammar();
    let head = source.outline.head(source.text.as_str(), statement);
    let instruction = head.filter(|head| head.class == Class::Mnemonic);
    let (mut out, mut before, mut depth) = (String::new(), None, 0usize);
    // The column of the mnemonic.
    let mut mnemonic = None;
    for token in tokens {
        let text = source.str(token.span);
        let last: Option<Token> = before.replace(*token);
        let after = last.map_or("", |last| source.str(last.span));
        let gap = last.is_some_and(|last| last.span.end < token.span.start);
        let blanks = source.str(Span::new(line.start, token.span.start));
        if last.is_none() {
            out += indent(
                blanks,
                if instruction.is_some() && token.class != Class::Name { grammar.indent } else { "" },
            );
        } else if token.class == Class::Comment {
            pad(&mut out, column(blanks));
        } else if let Some(column) = grammar.control_column.filter(|_| text == "{") {
            pad(&mut out, column);
        } else if gap && instruction.is_some_and(|head| is_name(source, &head, last)) {
            let start = mnemonic.unwrap_or(0);
            pad(
                &mut out,
                if source.editing.operand_column() > 0 {
                    start + source.editing.operand_column() + 1
                } else {
                    0
                },
            );
        } else if after == ":" && text != ":" && head.is_some_and(|head| token.span.start <= head.span.start)
            || after == "," && depth == 0
            || gap && text != ","
        {
            out.push(' ');
        }
        match text {
            "[" | "(" | "<" => depth += 1,
            "]" | ")" | ">" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if instruction.is_some_and(|head| head.span == token.span) {
            mnemonic = Some(column(&out));
        }
        out += text;
    }
    out.truncate(out.trim_end().len());
    out
}

/// The blanks at the beginning of a line. Those within blocks stay, if they are more than a listing has.
fn indent<'t>(own: &'t str, listed: &'t str) -> &'t str {
    if column(own) > column(listed) { own } else { listed }
}

/// Whether a token ends the mnemonic with its suffixes.
fn is_name(source: &Source<'_>, head: &Token, token: Option<Token>) -> bool {
    let named = |token: &Token| matches!(token.class, Class::Mnemonic | Class::Suffix);
    let between = |token: &Token| source.str(Span::new(head.span.start, token.span.end));
    token.as_ref().filter(|token| named(token)).is_some_and(|token| !between(token).contains([' ', '\t']))
}

/// The width of a text, in which a tab reaches the next multiple of eight.
fn column(text: &str) -> usize {
    text.chars().fold(0, |column, c| if c == '\t' { (column / 8 + 1) * 8 } else { column + 1 })
}

/// Adds blanks up to a column, and at least one if there is text.
fn pad(out: &mut String, to: usize) {
    if !out.is_empty() {
        out.push(' ');
    }
    while column(out) < to {
        out.push(' ');
    }
}
