//! What the word at a position means.

use crate::code::Code;
use crate::document::Source;
use crate::findings::span;
use crate::message::Answer;
use crate::position::Text;
use crate::reference::{explained, titled};
use crate::registers::names;
use crate::request::Request;
use crate::signature::written;
use serde_json::{Value, json};
use shisa::explain::{Explanation, Section};
use shisa::rows::editing::{Class, Statement, Token, Usage};
use shisa::{Isa, explain};

/// The headings of sections that are too long for a hover.
const LEFT_OUT: [&str; 2] = ["Bits", "Examples"];

/// The heading of the section that begins what an explanation states about one row.
const BEGIN_OF_ROW: &str = "Written";

/// The most lines of the source that a hover lists.
const MOST_LINES: usize = 12;

/// The meaning of the word at a position, with the meanings of the findings there.
pub(crate) fn hover(request: &Request<'_>) -> Answer {
    let text = request.document.text();
    let offset = text.offset(&request.params["position"])?;
    let Some(source) = request.document.source() else { return Ok(Value::Null) };
    let mut parts = Vec::new();
    let found = source.at(offset);
    if let Some((token, statement)) = found {
        parts.extend(meaning(&source, request.document.known_code(), token, statement));
    }
    let here = |at: shisa::diag::Span| at.start <= offset && offset <= at.end;
    let mut codes: Vec<&str> = request
        .document
        .known_findings()
        .into_iter()
        .flatten()
        .filter(|d| here(span(d)))
        .map(|d| d.code)
        .collect();
    codes.dedup();
    for code in codes {
        parts.extend(explain(code, None).ok().and_then(|all| all.first().map(titled)));
    }
    if parts.is_empty() {
        return Ok(Value::Null);
    }
    let mut hover = json!({"contents": {"kind": "markdown", "value": parts.join("\n\n---\n\n")}});
    if let Some((token, _)) = found {
        hover["range"] = text.range(token.span);
    }
    Ok(hover)
}

/// The meaning of a token.
fn meaning(source: &Source<'_>, code: Option<&Code>, token: Token, statement: &Statement) -> Option<String> {
    let (word, isa) = (source.str(token.span), source.language.isa());
    let usage = || source.editing.usage(source.text.as_str(), source.outline, statement);
    match token.class {
        Class::Comment | Class::Text | Class::Sign => None,
        Class::Directive => {
            let directive = source.editing.grammar().directive(word)?;
            let written = format!("{} {}", directive.name, directive.arguments);
            Some(format!("```text\n{}\n```\n\n{}", written.trim_end(), directive.says))
        }
        Class::Mnemonic => {
            let Some(usage) = usage() else { return explained(word, isa) };
            let mut text = instruction(&usage, isa)?;
            if let Some(line) = code.and_then(|code| code.at(token.span.start)) {
                let list = |what: &str, names: &[String]| match names {
                    [] => String::new(),
                    names => format!("\n\n{what}: `{}`", names.join(" ")),
                };
                text += &format!("\n\nBytes: `{}`", line.instruction.bytes);
                text += &list("Reads", &line.instruction.reads);
                text += &list("Writes", &line.instruction.writes);
                text += &line.live.as_ref().map_or(String::new(), |live| list("Live after it", live));
            }
            Some(text)
        }
        Class::Name => named(source, source.symbol_at(token.span)?),
        Class::Suffix | Class::Register | Class::Number | Class::Word => {
            let operand = usage().and_then(|usage| operand(&usage, token));
            let explained = match token.class {
                Class::Suffix => suffix(source, token, statement, isa),
                Class::Number => None,
                _ => explained(word, isa),
            };
            let range =
                (token.class == Class::Register).then(|| live_range(source.text, code?, word)).flatten();
            let parts: Vec<String> = [operand, explained, range].into_iter().flatten().collect();
            (!parts.is_empty()).then(|| parts.join("\n\n"))
        }
    }
}

/// What the row of an instruction states.
fn instruction(usage: &Usage, isa: Isa) -> Option<String> {
    let all = explain(usage.name, Some(isa)).ok()?;
    let of_rows = all.iter().filter(|e| e.word == usage.name);
    let mut rows: Vec<(&Explanation, Vec<&Section>)> = Vec::new();
    for explanation in of_rows {
        for section in &explanation.sections {
            if section.heading == BEGIN_OF_ROW {
                rows.push((explanation, Vec::new()));
            } else if let Some((_, sections)) = rows.last_mut() {
                sections.push(section);
            }
        }
    }
    let (written, _) = written(usage);
    let (explanation, sections) = rows.get(usage.row)?;
    let mut text = format!("```text\n{written}\n```\n\n{} ({})", usage.summary, explanation.kind);
    for section in sections.iter().filter(|section| !LEFT_OUT.contains(&section.heading)) {
        text += &listed(section);
    }
    Some(text)
}

/// A section as text.
fn listed(section: &Section) -> String {
    match section.lines.as_slice() {
        [line] => format!("\n\n**{}**: {line}", section.heading),
        lines => format!("\n\n**{}**\n```text\n{}\n```", section.heading, lines.join("\n")),
    }
}

/// Which operand a token belongs to.
fn operand(usage: &Usage, token: Token) -> Option<String> {
    let covers = |a: &shisa::rows::editing::Argument| {
        a.span.is_some_and(|span| span.start <= token.span.start && token.span.end <= span.end)
    };
    let number = usage.operands.iter().position(covers)?;
    let argument = usage.operands.get(number)?;
    Some(format!("Operand {} of `{}`: {}", number + 1, usage.name, argument.kind))
}

/// The meaning of a suffix of a mnemonic, or of components.
fn suffix(source: &Source<'_>, token: Token, statement: &Statement, isa: Isa) -> Option<String> {
    let word = source.str(token.span);
    let head = source.outline.head(source.text.as_str(), statement)?;
    let mnemonic = source.str(head.span);
    let attached = source.str(shisa::diag::Span::new(head.span.end, token.span.start));
    let of_mnemonic =
        head.class == Class::Mnemonic && head.span.end <= token.span.start && !attached.contains(' ');
    match of_mnemonic {
        true => {
            let all = explain(&format!("{mnemonic}{word}"), Some(isa)).ok()?;
            all.last().filter(|e| e.word != mnemonic).map(titled)
        }
        false => explained(word.trim_start_matches('.'), isa),
    }
}

/// A name, its definition and the number of its uses.
fn named(source: &Source<'_>, number: usize) -> Option<String> {
    let symbol = source.outline.symbols.get(number)?;
    let line = source.text.line(symbol.span.start);
    let definition = source.text.line_span(line).map_or("", |span| source.str(span)).trim();
    let uses = match source.uses(number).len() {
        1 => "1 use".to_owned(),
        count => format!("{count} uses"),
    };
    Some(format!("```text\n{definition}\n```\n\n{}, line {}, {uses}", symbol.kind.name(), line + 1))
}

/// The lines of the source in which a register is accessed, and after which it is live.
fn live_range(text: &Text, code: &Code, register: &str) -> Option<String> {
    let lines = |has: &dyn Fn(&crate::code::Line) -> bool| {
        let all = code.lines.iter().filter(|line| has(line)).map(|line| text.line(line.span.start) + 1);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for line in all {
            match runs.last_mut() {
                Some((_, last)) if line <= *last + 1 => *last = line,
                _ => runs.push((line, line)),
            }
        }
        let run = |(first, last): &(usize, usize)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        let more = if runs.len() > MOST_LINES { ", …" } else { "" };
        let shown: Vec<String> = runs.iter().take(MOST_LINES).map(run).collect();
        (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
    };
    let among = |list: &[String]| list.iter().any(|listed| names(listed, register));
    let parts = [
        ("written in lines", lines(&|line| among(&line.instruction.writes))),
        ("read in lines", lines(&|line| among(&line.instruction.reads))),
        ("live after lines", lines(&|line| line.live.as_deref().is_some_and(among))),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter_map(|(what, lines)| Some(format!("{what} {}", lines?))).collect();
    (!parts.is_empty()).then(|| format!("`{register}` is {}", parts.join("; ")))
}
