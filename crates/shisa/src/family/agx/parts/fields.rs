//! Reads the fields of a JSON object, and reports all faults.

use serde_json::{Map, Value};
use shisa_diag::Diagnostic;
use shisa_rows::source::hex_bytes;

/// The fields of an object; faults are collected.
pub(super) struct Fields<'a> {
    path: String,
    object: &'a Map<String, Value>,
    faults: &'a mut Vec<Diagnostic>,
}

/// The diagnostic for a fault in a part's file.
pub(super) fn fault(text: String) -> Diagnostic {
    Diagnostic::error("agx-part", text)
}

impl<'a> Fields<'a> {
    /// The fields of a value that must be an object.
    pub(super) fn new(path: &str, value: &'a Value, faults: &'a mut Vec<Diagnostic>) -> Option<Self> {
        let Some(object) = value.as_object() else {
            faults.push(fault(format!("{path} is not an object")));
            return None;
        };
        Some(Fields { path: path.to_owned(), object, faults })
    }

    /// A field as `read` converts it; `T::default()` if it is missing, null or wrong. A wrong field is a fault.
    fn get<T: Default>(&mut self, name: &str, wanted: &str, read: impl Fn(&Value) -> Option<T>) -> T {
        let Some(value) = self.object.get(name).filter(|v| !v.is_null()) else { return T::default() };
        read(value).unwrap_or_else(|| {
            self.faults.push(fault(format!("{}.{name} is not a {wanted}: {value}", self.path)));
            T::default()
        })
    }

    /// Reports missing fields.
    pub(super) fn require(&mut self, names: &[&str]) {
        for name in names.iter().filter(|n| !self.object.contains_key(**n)) {
            self.faults.push(fault(format!("{}.{name} is missing", self.path)));
        }
    }

    /// Refuses a later version of the form than the known one; compilers write no version.
    pub(super) fn version(&mut self) {
        self.get("version", "version of this form, which is 1", |v| (v.as_u64() == Some(1)).then_some(()));
    }

    /// A number of at most 32 bits.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        self.get(name, "number of 32 bits", |v| v.as_u64()?.try_into().ok())
    }

    /// A truth value, which compilers write as 0 or 1.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        self.get(name, "truth value", |v| match v.as_u64() {
            Some(n) => (n < 2).then_some(n == 1),
            None => v.as_bool(),
        })
    }

    /// A text.
    pub(super) fn text(&mut self, name: &str) -> String {
        self.get(name, "text", |v| v.as_str().map(String::from))
    }

    /// The value that one of several texts stands for.
    pub(super) fn choice<T: Copy>(&mut self, name: &str, all: &[(&str, T)]) -> Option<T> {
        let names: Vec<&str> = all.iter().map(|(n, _)| *n).collect();
        let one = |v: &Value| all.iter().find(|(n, _)| v.as_str() == Some(n)).map(|(_, t)| Some(*t));
        self.get(name, &format!("one of {}", names.join(", ")), one)
    }

    /// Three numbers.
    pub(super) fn three(&mut self, name: &str) -> [u32; 3] {
        let number = |v: &Value| v.as_u64()?.try_into().ok();
        self.get(name, "list of three numbers", |v| {
            let list: Option<Vec<u32>> = v.as_array()?.iter().map(number).collect();
            list?.try_into().ok()
        })
    }

    /// Bytes in hexadecimal.
    pub(super) fn bytes(&mut self, name: &str) -> Vec<u8> {
        let plain = |text: &&str| !text.contains(char::is_whitespace);
        self.get(name, "even number of hexadecimal digits", |v| hex_bytes(v.as_str().filter(plain)?))
    }

    /// The fields of a nested object, if it is there.
    pub(super) fn inside<T>(&mut self, name: &str, read: impl FnOnce(&mut Fields<'_>) -> T) -> Option<T> {
        let value = self.object.get(name)?;
        let path = format!("{}.{name}", self.path);
        Fields::new(&path, value, self.faults).map(|mut fields| read(&mut fields))
    }

    /// The objects of a nested list.
    pub(super) fn list<T>(&mut self, name: &str, read: impl Fn(&mut Fields<'_>) -> T) -> Vec<T> {
        let Some(value) = self.object.get(name) else { return Vec::new() };
        let Some(list) = value.as_array() else {
            self.faults.push(fault(format!("{}.{name} is not a list", self.path)));
            return Vec::new();
        };
        let numbered = list.iter().enumerate();
        let objects = numbered.filter_map(|(i, value)| {
            let path = format!("{}.{name}[{i}]", self.path);
            Fields::new(&path, value, self.faults).map(|mut fields| read(&mut fields))
        });
        objects.collect()
    }
}
