//! The parts of lines: signs, words, numbers, types, components, rules.

use super::lexer::{Lexer, Token};
use crate::*;
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Span};

pub(super) type Parsed<T> = Result<T, Diagnostic>;

pub(super) fn fault<T>(span: Span, text: impl Into<String>) -> Parsed<T> {
    Err(Diagnostic::error("ir-text", text).at_text(span, ""))
}

pub(super) fn sign(l: &mut Lexer<'_>, want: char) -> Parsed<()> {
    match l.next()? {
        (Token::Sign(c), _) if c == want => Ok(()),
        (_, span) => fault(span, format!("expected `{want}`")),
    }
}

/// Whether this word comes next; if so, it is consumed.
pub(super) fn word(l: &mut Lexer<'_>, word: &str) -> bool {
    l.peek() == Token::Word(word) && l.next().is_ok()
}

pub(super) fn keyword(l: &mut Lexer<'_>, want: &str) -> Parsed<()> {
    match l.next()? {
        (Token::Word(w), _) if w == want => Ok(()),
        (_, span) => fault(span, format!("expected `{want}`")),
    }
}

/// A word that `find` accepts.
pub(super) fn one_of<T>(l: &mut Lexer<'_>, find: impl Fn(&str) -> Option<T>, what: &str) -> Parsed<T> {
    let (token, span) = l.next()?;
    let found = match token {
        Token::Word(w) => find(w),
        _ => None,
    };
    match found {
        Some(v) => Ok(v),
        None => fault(span, format!("expected {what}")),
    }
}

pub(super) fn number(l: &mut Lexer<'_>, low: i128, high: i128) -> Parsed<i128> {
    match l.next()? {
        (Token::Number(n), _) if (low..=high).contains(&n) => Ok(n),
        (_, span) => fault(span, format!("expected a number from {low} to {high}")),
    }
}

/// `f32x4`
pub(super) fn type_of(l: &mut Lexer<'_>) -> Parsed<Type> {
    let (token, span) = l.next()?;
    let Token::Word(word) = token else { return fault(span, "expected a type, such as f32x4") };
    let (name, count) = match word.split_once('x') {
        Some((name, count @ ("2" | "3" | "4"))) => (name, count.as_bytes()[0] - b'0'),
        Some(_) => return fault(span, format!("`{word}` is not a type")),
        None => (word, 1),
    };
    match Scalar::ALL.iter().find(|s| s.name() == name) {
        Some(s) => Ok(s.by(count)),
        None => fault(span, format!("`{word}` is not a type")),
    }
}

fn components(l: &mut Lexer<'_>) -> Parsed<(Vec<u8>, Span)> {
    let (token, span) = l.next()?;
    let index = |c: u8| b"xyzw".iter().position(|&x| x == c).map(|i| i as u8);
    let list = match token {
        Token::Word(w) if w.len() <= 4 => w.bytes().map(index).collect(),
        _ => None,
    };
    match list {
        Some(list) => Ok((list, span)),
        None => fault(span, "expected components, such as xyzw"),
    }
}

pub(super) fn swizzle(l: &mut Lexer<'_>) -> Parsed<Swizzle> {
    match components(l)? {
        (list, _) if list.len() == 4 => Ok(Swizzle::from_slice(&list)),
        (_, span) => fault(span, "a swizzle has four components"),
    }
}

pub(super) fn mask(l: &mut Lexer<'_>) -> Parsed<Mask> {
    let (list, span) = components(l)?;
    if list.windows(2).any(|w| w[0] >= w[1]) {
        return fault(span, "the components of a mask come in order");
    }
    Ok(Mask(list.iter().fold(0, |m, c| m | 1 << c)))
}

pub(super) fn space(l: &mut Lexer<'_>) -> Parsed<Space> {
    let (token, span) = l.next()?;
    let found = match token {
        Token::Word(w) => Space::from_word(w, || number(l, 0, 255).map(|n| n as u8))?,
        _ => None,
    };
    match found {
        Some(space) => Ok(space),
        None => fault(
            span,
            "expected global, shared, local, uniforms, outputs, states, texels, constants, constant or buffer",
        ),
    }
}

pub(super) fn rule(flags: &str, span: Span) -> Parsed<FloatRule> {
    let mut rule = FloatRule::IEEE;
    for flag in flags.split('.').filter(|f| !f.is_empty()) {
        match flag {
            "ftz" => rule.flush = true,
            "sat" => rule.saturate = true,
            "fmz" => rule.zero_product = true,
            "model" => rule.model = true,
            _ => match (Round::from_name(flag), NanRule::from_name(flag)) {
                (Some(round), _) => rule.round = round,
                (None, Some(nan)) => rule.nan = nan,
                (None, None) => return fault(span, format!("`{flag}` is not a rule")),
            },
        }
    }
    Ok(rule)
}
