//! What the player supplies: constants, strings, arrays and byte arrays.

use super::frame::Outcome;
use super::machine::Machine;
use super::value::{ByteArray, Id, Kind, Text, Value, plain_text};
use std::rc::Rc;

/// The value of a constant of one of the player's classes of constants: the words of its name in one word, as in
/// `COMPRESSED_ALPHA` and `compressedAlpha`.
pub(crate) fn constant(class: &str, name: &str) -> Option<String> {
    let letters = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    if !(class.starts_with("Context3D") || class == "Endian") || !name.chars().all(letters) {
        return None;
    }
    match name {
        "BGRA_PACKED" => return Some("bgraPacked4444".into()),
        "BGR_PACKED" => return Some("bgrPacked565".into()),
        _ => {}
    }
    let mut words = name.split('_');
    let mut text = words.next()?.to_ascii_lowercase();
    for word in words {
        let (first, rest) = word.split_at_checked(1)?;
        text.push_str(first);
        text.push_str(&rest.to_ascii_lowercase());
    }
    Some(text)
}

/// Most bytes of a byte array.
const MAX_BYTES: usize = 1 << 20;

/// Writes bytes at an index, and sets the position after them.
pub(crate) fn write(array: &mut ByteArray, at: usize, bytes: &[u8]) {
    let end = at.saturating_add(bytes.len());
    if end > MAX_BYTES {
        return;
    }
    if array.bytes.len() < end {
        array.bytes.resize(end, 0);
    }
    if let Some(place) = array.bytes.get_mut(at..end) {
        place.copy_from_slice(bytes);
    }
    array.at = end;
}

impl Machine<'_, '_> {
    /// Makes an object of a class of the player.
    pub(crate) fn construct_player_class(&mut self, name: &str, arguments: Vec<Value>) -> Outcome {
        let kind = match name {
            "Array" | "Vector" => {
                const MAX_LENGTH: usize = 1 << 16;
                let size = match arguments.as_slice() {
                    [size @ Value::Number(_)] => size.index(),
                    [size, _] if name == "Vector" => size.index(),
                    _ => None,
                };
                match size {
                    Some(size) => Kind::Array(vec![Value::Undefined; size.min(MAX_LENGTH)]),
                    None if name == "Vector" => Kind::Array(Vec::new()),
                    None => Kind::Array(arguments),
                }
            }
            "ByteArray" => Kind::Bytes(ByteArray::default()),
            "Object" | "Dictionary" => Kind::Instance(None),
            "RegExp" => match arguments.as_slice() {
                [Value::Text(pattern), more @ ..] => {
                    let all = more.first().and_then(Value::as_text).is_some_and(|f| f.contains('g'));
                    literal(&pattern.text).map_or(Kind::Unknown(None), |p| Kind::Pattern(p.into(), all))
                }
                _ => Kind::Unknown(None),
            },
            "String" => return self.call_player_class(name, arguments),
            _ => return Ok(self.outside(&arguments)),
        };
        Ok(self.state.object(kind))
    }

    /// Calls a class of the player: a conversion.
    pub(crate) fn call_player_class(&mut self, name: &str, arguments: Vec<Value>) -> Outcome {
        let conversion = match name {
            "String" => 0x70,
            "int" => 0x73,
            "uint" => 0x74,
            "Number" | "parseInt" | "parseFloat" => 0x75,
            "Boolean" => 0x76,
            "Vector" | "Object" | "ByteArray" => 0x80,
            _ => return Ok(self.outside(&arguments)),
        };
        match arguments.into_iter().next() {
            Some(value) => self.convert(conversion, value),
            None => Ok(Value::text("")),
        }
    }

    /// Calls a method of a string, an array or a byte array; `None` if it is not one of those.
    pub(crate) fn call_player(
        &mut self,
        object: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Outcome<Option<Value>> {
        let id = match object {
            Value::Text(text) => return self.call_text(&Rc::clone(text), name, arguments).map(Some),
            Value::Object(id) => *id,
            plain => {
                return Ok((name == "toString").then(|| plain_text(plain).map(Value::text)).flatten());
            }
        };
        match self.state.kind(id) {
            Kind::Array(_) => self.call_array(id, name, arguments).map(Some),
            Kind::Bytes(_) => Ok(Some(self.call_bytes(id, name, arguments))),
            Kind::Player(class) if &**class == "String" && name == "fromCharCode" => {
                let text: Option<String> =
                    arguments.iter().map(|a| char::from_u32(a.index()? as u32)).collect();
                Ok(Some(text.map_or_else(|| self.state.unknown(None), Value::text)))
            }
            _ => Ok(None),
        }
    }

    fn call_text(&mut self, text: &Rc<Text>, name: &str, arguments: &[Value]) -> Outcome {
        self.spend(1 + text.text.len() / 16)?;
        // What is cut out of a string was built from the same constants.
        let part = |part: &str| {
            Value::Text(Rc::new(Text { text: part.into(), first: text.first, parts: text.parts.max(2) }))
        };
        let first = arguments.first();
        let (a, b) = (first.and_then(Value::number), arguments.get(1).and_then(Value::number));
        let length = text.text.chars().count() as f64;
        let bounded = |n: f64| if n.is_nan() { 0.0 } else { n.clamp(0.0, length) };
        let relative = |n: f64| bounded(if n < 0.0 { length + n } else { n });
        let cut = |from: f64, to: f64| {
            let count = (to - from).max(0.0) as usize;
            part(&text.text.chars().skip(from as usize).take(count).collect::<String>())
        };
        Ok(match (name, first) {
            ("substr" | "substring" | "slice" | "charAt" | "charCodeAt", _) if any_unknown(arguments) => {
                self.outside(arguments)
            }
            ("toString" | "valueOf" | "toLocaleString", _) => Value::Text(Rc::clone(text)),
            ("toLowerCase" | "toLocaleLowerCase", _) => part(&text.text.to_lowercase()),
            ("toUpperCase" | "toLocaleUpperCase", _) => part(&text.text.to_uppercase()),
            ("concat", _) => {
                let mut whole = Value::Text(Rc::clone(text));
                for argument in arguments {
                    let more = self.text_of(argument)?;
                    whole = self.concat(&whole, &more)?;
                }
                whole
            }
            ("substr", _) => {
                let from = relative(a.unwrap_or(0.0));
                cut(from, bounded(from + b.unwrap_or(length)))
            }
            ("substring", _) => {
                let (x, y) = (bounded(a.unwrap_or(0.0)), bounded(b.unwrap_or(length)));
                cut(x.min(y), x.max(y))
            }
            ("slice", _) => cut(relative(a.unwrap_or(0.0)), relative(b.unwrap_or(length))),
            ("charAt", _) => cut(bounded(a.unwrap_or(0.0)), bounded(a.unwrap_or(0.0) + 1.0)),
            ("charCodeAt", _) => match text.text.chars().nth(a.unwrap_or(0.0) as usize) {
                Some(c) => Value::Number(f64::from(c as u32)),
                None => Value::Number(f64::NAN),
            },
            ("indexOf", Some(Value::Text(part))) => position(&text.text, text.text.find(&part.text)),
            ("lastIndexOf", Some(Value::Text(part))) => position(&text.text, text.text.rfind(&part.text)),
            ("split", Some(Value::Text(between))) => {
                let pieces: Vec<Value> = match between.text.as_str() {
                    "" => text.text.chars().map(|c| part(c.encode_utf8(&mut [0; 4]))).collect(),
                    between => text.text.split(between).map(part).collect(),
                };
                self.spend(pieces.len())?;
                self.state.object(Kind::Array(pieces))
            }
            ("replace", Some(pattern)) => {
                let with = arguments.get(1).cloned().unwrap_or(Value::Undefined);
                return self.replace(text, pattern, &with);
            }
            _ => self.outside(arguments),
        })
    }

    fn replace(&mut self, text: &Rc<Text>, pattern: &Value, with: &Value) -> Outcome {
        let (pattern, all) = match pattern {
            Value::Text(pattern) => (Rc::<str>::from(pattern.text.as_str()), false),
            Value::Object(id) => match self.state.kind(*id) {
                Kind::Pattern(pattern, all) => (Rc::clone(pattern), *all),
                _ => return Ok(self.state.unknown(None)),
            },
            _ => return Ok(Value::Text(Rc::clone(text))),
        };
        if !text.text.contains(&*pattern) {
            return Ok(Value::Text(Rc::clone(text)));
        }
        self.catalogue.extended(text);
        let with = self.text_of(with)?;
        let Value::Text(with) = with else { return Ok(self.state.unknown(None)) };
        let most = if all { usize::MAX } else { 1 };
        let count = if pattern.is_empty() { 1 } else { text.text.matches(&*pattern).take(most).count() };
        self.spend(1 + (text.text.len() + count * with.text.len()) / 16)?;
        Ok(Value::Text(Rc::new(Text {
            text: text.text.replacen(&*pattern, &with.text, count),
            first: text.first.or(with.first),
            parts: (text.parts + with.parts).max(2),
        })))
    }

    /// The elements of an array as one string.
    pub(crate) fn join(&mut self, id: Id, between: &str) -> Outcome {
        let Kind::Array(list) = self.state.kind(id) else { return Ok(self.state.unknown(None)) };
        let mut whole = Value::text("");
        for (i, element) in list.clone().iter().enumerate() {
            let settled = self.state.settle(element.clone());
            let text = match settled {
                Value::Undefined | Value::Null => Value::text(""),
                Value::Object(inner) if inner == id => Value::text(""),
                other => self.text_of(&other)?,
            };
            if i > 0 {
                whole = self.concat(&whole, &Value::text(between))?;
            }
            whole = self.concat(&whole, &text)?;
        }
        Ok(whole)
    }

    fn call_array(&mut self, id: Id, name: &str, arguments: &[Value]) -> Outcome {
        let unknown = any_unknown(arguments);
        let Some(Kind::Array(list)) = self.state.kind_mut(id) else { return Ok(Value::Undefined) };
        let size = list.len();
        let relative = |value: Option<&Value>, default: usize| {
            let number = value.and_then(Value::number).unwrap_or(default as f64);
            (if number < 0.0 { size as f64 + number } else { number }).clamp(0.0, size as f64) as usize
        };
        let result = match name {
            "slice" if unknown => self.outside(arguments),
            // The elements are not known from here on.
            "splice" if unknown => {
                if let Some(kind) = self.state.kind_mut(id) {
                    *kind = Kind::Unknown(None);
                }
                self.outside(arguments)
            }
            "push" => {
                list.extend_from_slice(arguments);
                Value::Number(list.len() as f64)
            }
            "unshift" => {
                list.splice(0..0, arguments.iter().cloned());
                Value::Number(list.len() as f64)
            }
            "pop" => list.pop().unwrap_or(Value::Undefined),
            "shift" if size > 0 => list.remove(0),
            "shift" => Value::Undefined,
            "reverse" => {
                list.reverse();
                Value::Object(id)
            }
            "splice" => {
                let from = relative(arguments.first(), 0);
                let count = arguments.get(1).and_then(Value::index).unwrap_or(size).min(size - from);
                let more = arguments.get(2..).unwrap_or_default().iter().cloned();
                let removed = list.splice(from..from + count, more).collect();
                self.state.object(Kind::Array(removed))
            }
            "slice" => {
                let (from, to) = (relative(arguments.first(), 0), relative(arguments.get(1), size));
                let part = list.get(from..to).unwrap_or_default().to_vec();
                self.state.object(Kind::Array(part))
            }
            "concat" => {
                let mut all = list.clone();
                for argument in arguments {
                    match argument.as_object().map(|id| self.state.kind(id)) {
                        Some(Kind::Array(more)) => all.extend_from_slice(more),
                        _ => all.push(argument.clone()),
                    }
                }
                self.spend(all.len())?;
                self.state.object(Kind::Array(all))
            }
            "indexOf" => {
                let wanted = arguments.first().and_then(plain_text);
                let at = wanted.and_then(|w| list.iter().position(|v| plain_text(v).as_ref() == Some(&w)));
                Value::Number(at.map_or(-1.0, |i| i as f64))
            }
            "join" | "toString" => {
                let between = match arguments.first() {
                    Some(Value::Text(between)) => between.text.clone(),
                    _ => ",".into(),
                };
                return self.join(id, &between);
            }
            "forEach" | "map" | "every" | "some" | "filter" => {
                let list = list.clone();
                let function = arguments.first().cloned().unwrap_or(Value::Undefined);
                let mut results = Vec::new();
                for (i, element) in list.into_iter().enumerate() {
                    let given = vec![element, Value::Number(i as f64), Value::Object(id)];
                    results.push(self.call_value(&function, Value::Undefined, given)?);
                }
                if name == "map" { self.state.object(Kind::Array(results)) } else { self.state.unknown(None) }
            }
            _ => self.outside(arguments),
        };
        self.spend(1 + size / 64)?;
        Ok(result)
    }

    fn call_bytes(&mut self, id: Id, name: &str, arguments: &[Value]) -> Value {
        let number = arguments.first().and_then(Value::int);
        let source = arguments.first().and_then(Value::as_object).map(|from| self.state.kind(from).clone());
        let Some(Kind::Bytes(array)) = self.state.kind_mut(id) else { return Value::Undefined };
        let ordered = |mut bytes: Vec<u8>, little: bool| {
            if !little {
                bytes.reverse();
            }
            bytes
        };
        let at = array.at;
        match (name, number, source) {
            ("writeByte", Some(n), _) => write(array, at, &[n as u8]),
            ("writeShort", Some(n), _) => {
                let bytes = ordered((n as u16).to_le_bytes().to_vec(), array.little);
                write(array, at, &bytes);
            }
            ("writeInt" | "writeUnsignedInt", Some(n), _) => {
                let bytes = ordered(n.to_le_bytes().to_vec(), array.little);
                write(array, at, &bytes);
            }
            ("writeBytes", _, Some(Kind::Bytes(from))) => {
                let start = arguments.get(1).and_then(Value::index).unwrap_or(0);
                let count = arguments.get(2).and_then(Value::index).filter(|n| *n > 0);
                let bytes = from.bytes.get(start..).unwrap_or_default();
                write(array, at, count.and_then(|n| bytes.get(..n)).unwrap_or(bytes));
            }
            ("writeUTFBytes", _, _) => {
                if let Some(text) = arguments.first().and_then(Value::as_text) {
                    write(array, at, text.as_bytes());
                }
            }
            // What is written is not known: the bytes are not known from here on.
            (name, _, _) if name.starts_with("write") => {
                let kind = Kind::Unknown(None);
                if let Some(place) = self.state.kind_mut(id) {
                    *place = kind;
                }
            }
            ("readUTFBytes" | "readMultiByte", _, _) => {
                let count = number.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
                let rest = array.bytes.get(at..).unwrap_or_default();
                let read = rest.get(..count).unwrap_or(rest);
                array.at += read.len();
                return Value::text(String::from_utf8_lossy(read));
            }
            ("readUnsignedByte" | "readByte", _, _) => {
                array.at += 1;
                return array.bytes.get(at).map_or(Value::Undefined, |b| Value::Number(f64::from(*b)));
            }
            ("toString", _, _) => return Value::text(String::from_utf8_lossy(&array.bytes)),
            ("clear", _, _) => *array = ByteArray { little: array.little, ..ByteArray::default() },
            _ => return self.outside(arguments),
        }
        Value::Undefined
    }
}

/// Whether one of the first two arguments, which are positions, is no known number.
fn any_unknown(arguments: &[Value]) -> bool {
    arguments.iter().take(2).any(|argument| argument.number().is_none())
}

fn position(text: &str, at: Option<usize>) -> Value {
    Value::Number(at.map_or(-1.0, |at| text.get(..at).unwrap_or_default().chars().count() as f64))
}

/// The text that a regular expression without operators finds.
fn literal(pattern: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                c if c.is_alphanumeric() => return None,
                c => text.push(c),
            },
            c if "[](){}*+?|^$.".contains(c) => return None,
            c => text.push(c),
        }
    }
    Some(text)
}
