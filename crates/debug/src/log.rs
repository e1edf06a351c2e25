//! What log points log.

use crate::expression::{Expression, wrong};
use crate::names::Names;
use crate::view::View;
use shisa_diag::Diagnostic;

/// The largest number of lines that the log points of one move log.
pub const MOST_LOGGED: usize = 4096;

/// The largest size of a message in bytes.
const LONGEST: usize = 1024;

/// What a log point logs in each lane.
#[derive(Clone, Debug, PartialEq)]
pub enum Log {
    /// An expression with its value.
    Value(Expression),
    /// Texts and the values of the expressions between them.
    Message(Vec<Part>),
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A text.
    Text(String),
    /// The value of an expression, which is written in braces.
    Value(Expression),
}

impl Log {
    /// A message whose expressions are in braces, such as `x is {r0.x}`.
    ///
    /// # Errors
    /// `debug-expression` if the message is too long or a brace is not closed; those of the expressions.
    pub fn message(text: &str, names: &Names) -> Result<Log, Diagnostic> {
        if text.len() > LONGEST {
            return Err(wrong(format!("a log message has {} bytes; the longest has {LONGEST}", text.len())));
        }
        let (mut parts, mut left) = (Vec::new(), text);
        while let Some((before, rest)) = left.split_once('{') {
            let (inner, after) =
                rest.split_once('}').ok_or_else(|| wrong("a brace of the log message is not closed"))?;
            parts.push(Part::Text(before.to_owned()));
            parts.push(Part::Value(Expression::parse(inner, names)?));
            left = after;
        }
        parts.push(Part::Text(left.to_owned()));
        Ok(Log::Message(parts))
    }

    /// The text that it was made of.
    pub fn text(&self) -> String {
        match self {
            Log::Value(expression) => expression.text().to_owned(),
            Log::Message(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => text.clone(),
                    Part::Value(expression) => format!("{{{}}}", expression.text()),
                })
                .collect(),
        }
    }

    /// What it logs in a lane.
    pub(crate) fn of_lane(
        &self,
        view: &mut dyn View,
        names: &Names,
        lane: usize,
    ) -> Result<String, Diagnostic> {
        match self {
            Log::Value(expression) => {
                Ok(format!("{} = {}", expression.text(), expression.value(view, names, lane)?))
            }
            Log::Message(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => Ok(text.clone()),
                    Part::Value(expression) => Ok(expression.value(view, names, lane)?.to_string()),
                })
                .collect(),
        }
    }
}
