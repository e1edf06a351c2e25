//! Fingerprints of results, which are the same here and in the tests of the package (`test/fingerprint.js`).

use serde_json::Value;

/// The length and the FNV-1a hash (32 bits) of a result that is written in one form: keys of objects are sorted, numbers
/// are the bits of binary64, texts and bytes have their length before them.
pub(super) struct Fingerprint {
    length: u64,
    hash: u32,
}

const BASIS: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

impl Fingerprint {
    /// The fingerprint of JSON.
    pub(super) fn of_json(value: &Value) -> String {
        let mut all = Fingerprint { length: 0, hash: BASIS };
        all.value(value);
        all.text()
    }

    /// The fingerprint of bytes.
    pub(super) fn of_bytes(bytes: &[u8]) -> String {
        let mut all = Fingerprint { length: 0, hash: BASIS };
        all.counted(b'b', bytes);
        all.text()
    }

    fn text(&self) -> String {
        format!("{}:{:08x}", self.length, self.hash)
    }

    fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        for byte in bytes {
            self.hash = (self.hash ^ u32::from(*byte)).wrapping_mul(PRIME);
        }
    }

    fn counted(&mut self, kind: u8, bytes: &[u8]) {
        self.add(&[kind]);
        self.add(format!("{}:", bytes.len()).as_bytes());
        self.add(bytes);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.add(b"n"),
            Value::Bool(is) => self.add(if *is { b"t" } else { b"f" }),
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                self.add(format!("#{:016x}", number.to_bits()).as_bytes());
            }
            Value::String(text) => self.counted(b's', text.as_bytes()),
            Value::Array(list) => {
                self.add(b"[");
                list.iter().for_each(|value| self.value(value));
                self.add(b"]");
            }
            Value::Object(object) => {
                let mut members: Vec<_> = object.iter().collect();
                members.sort_unstable_by_key(|(key, _)| *key);
                self.add(b"{");
                for (key, value) in members {
                    self.counted(b's', key.as_bytes());
                    self.value(value);
                }
                self.add(b"}");
            }
        }
    }
}
