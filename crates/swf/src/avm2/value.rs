//! Values of the interpreter.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A value, or what is known of it.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    Text(Rc<Text>),
    /// An object, or a value of which nothing is known: an index of the heap.
    Object(Id),
}

/// The index of an object.
pub(crate) type Id = u32;

/// A string, and the constants that it was built from.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// The first of the constants that it was built from.
    pub(crate) first: Option<Origin>,
    /// The number of constants that it was built from. A string of one is the constant itself or a part of it.
    pub(crate) parts: u32,
}

/// A string constant: the number of the byte code, and its index in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) abc: usize,
    pub(crate) index: u32,
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) kind: Kind,
    pub(crate) properties: BTreeMap<Rc<str>, Value>,
}

/// What an object is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A value of which at most the class is known.
    Unknown(Option<usize>),
    /// The negation of an unknown value.
    Not(Id),
    /// An object of a class; `None` for one without declared members.
    Instance(Option<usize>),
    /// A class of the file.
    Class(usize),
    /// A class of the player, by name.
    Player(Rc<str>),
    /// The variables of a running method: the byte code and the method.
    Activation(Function),
    /// Everything that scripts declare.
    Globals,
    Array(Vec<Value>),
    Closure(Closure),
    Bytes(ByteArray),
    /// The bytes that an assembler made of a source.
    Assembled(usize),
    /// A regular expression without operators: the text that it finds, and whether it finds all.
    Pattern(Rc<str>, bool),
}

/// A method of a file: the number of the byte code, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Function {
    pub(crate) abc: usize,
    pub(crate) method: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) function: Function,
    pub(crate) scopes: Rc<[Value]>,
    /// The object that a method belongs to.
    pub(crate) this: Option<Id>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ByteArray {
    pub(crate) bytes: Vec<u8>,
    pub(crate) at: usize,
    pub(crate) little: bool,
}

impl Value {
    pub(crate) fn text(text: impl Into<String>) -> Value {
        Value::Text(Rc::new(Text { text: text.into(), first: None, parts: 0 }))
    }

    pub(crate) fn constant(text: &str, abc: usize, index: u32) -> Value {
        Value::Text(Rc::new(Text { text: text.into(), first: Some(Origin { abc, index }), parts: 1 }))
    }

    /// The text of a string.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    pub(crate) fn as_object(&self) -> Option<Id> {
        match self {
            Value::Object(id) => Some(*id),
            _ => None,
        }
    }

    /// The number that it converts to; `None` if that is not known.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Value::Undefined => Some(f64::NAN),
            Value::Null => Some(0.0),
            Value::Bool(b) => Some(f64::from(u8::from(*b))),
            Value::Number(n) => Some(*n),
            Value::Text(text) => Some(parse(&text.text)),
            Value::Object(_) => None,
        }
    }

    /// The index that it converts to.
    pub(crate) fn index(&self) -> Option<usize> {
        let number = self.number()?;
        (number >= 0.0 && number.fract() == 0.0 && number < 1e9).then_some(number as usize)
    }

    /// The integer of 32 bits that it converts to.
    pub(crate) fn int(&self) -> Option<i32> {
        self.number().map(wrap)
    }
}

/// The integer of 32 bits that a number converts to.
pub(crate) fn wrap(number: f64) -> i32 {
    if number.is_finite() { number.trunc().rem_euclid(4_294_967_296.0) as u32 as i32 } else { 0 }
}

fn parse(text: &str) -> f64 {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).map_or(f64::NAN, f64::from),
        None if text.is_empty() => 0.0,
        None => text.parse().unwrap_or(f64::NAN),
    }
}

/// The text of a number, as the player writes it.
pub(crate) fn number_text(number: f64) -> String {
    if number.is_nan() {
        "NaN".into()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else if number == 0.0 {
        "0".into()
    } else {
        number.to_string()
    }
}

/// The text of a known value that is not an object.
pub(crate) fn plain_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::Undefined => "undefined".into(),
        Value::Null => "null".into(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => number_text(*n),
        Value::Text(text) => text.text.clone(),
        Value::Object(_) => return None,
    })
}
