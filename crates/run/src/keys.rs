//! The keys that inputs may have.

use serde_json::Value;
use shisa_diag::Diagnostic;
use shisa_rows::nearest;

/// The form of a value in an input.
#[derive(Debug)]
pub enum Shape {
    /// Anything: its reader checks it.
    Any,
    /// An object with some of these keys, and keys for its readers, such as `comment`.
    Keys(&'static [(&'static str, Shape)]),
    /// A list of values of this form, or an object whose keys are names of registers and the like.
    Each(&'static Shape),
    /// A value of this form, or a list of such values.
    Several(&'static Shape),
}

/// Keys for readers of an object, which runs ignore.
const NOTES: &[&str] = &["$schema", "comment", "name", "note", "notes", "source"];

impl Shape {
    /// Refuses keys that are not of this form, in a text that is JSON.
    ///
    /// # Errors
    /// `run-input` for each unknown key, with the nearest known one.
    pub fn check(&self, text: &str) -> Result<(), Vec<Diagnostic>> {
        let mut unknown = Vec::new();
        // The reader reports what is not JSON.
        if let Ok(value) = serde_json::from_str(text) {
            self.walk(&value, "", &mut unknown);
        }
        if unknown.is_empty() { Ok(()) } else { Err(unknown) }
    }

    fn walk(&self, value: &Value, path: &str, unknown: &mut Vec<Diagnostic>) {
        match (self, value) {
            (Shape::Keys(keys), Value::Object(object)) => {
                for (key, value) in object {
                    match keys.iter().find(|(name, _)| name == key) {
                        Some((_, shape)) => shape.walk(value, &format!("{path}{key}."), unknown),
                        None if NOTES.contains(&key.as_str()) => {}
                        None => unknown.push(refused(path, key, keys)),
                    }
                }
            }
            (Shape::Each(shape), Value::Object(object)) => {
                object.iter().for_each(|(key, value)| shape.walk(value, &format!("{path}{key}."), unknown));
            }
            (Shape::Each(shape) | Shape::Several(shape), Value::Array(list)) => {
                list.iter()
                    .enumerate()
                    .for_each(|(i, value)| shape.walk(value, &format!("{path}{i}."), unknown));
            }
            (Shape::Several(shape), value) => shape.walk(value, path, unknown),
            _ => {}
        }
    }
}

fn refused(path: &str, key: &str, keys: &[(&str, Shape)]) -> Diagnostic {
    let known = || keys.iter().map(|(name, _)| *name);
    let shown = shisa_diag::escape(&format!("{path}{key}"));
    let found = Diagnostic::error("run-input", format!("\"{shown}\" is not a known key"));
    let help = match nearest(key, known().chain(NOTES.iter().copied())) {
        Some(near) => format!("the nearest known key is \"{near}\""),
        None => format!("known keys are {}", known().collect::<Vec<_>>().join(", ")),
    };
    found.help(help)
}

#[cfg(test)]
mod tests {
    use super::Shape;

    const LANE: Shape = Shape::Keys(&[("va0", Shape::Any)]);
    const INPUT: Shape = Shape::Keys(&[
        ("lanes", Shape::Each(&LANE)),
        ("named", Shape::Each(&LANE)),
        ("any", Shape::Several(&LANE)),
        ("count", Shape::Any),
    ]);

    fn refused(text: &str) -> Vec<String> {
        INPUT.check(text).err().into_iter().flatten().map(|d| d.message).collect()
    }

    #[test]
    fn unknown_keys_are_refused_at_every_depth() {
        assert!(
            refused(r#"{"count": {"x": 1}, "lanes": [{"va0": 1}], "comment": "", "named": {"a": {}}}"#)
                .is_empty()
        );
        assert_eq!(refused(r#"{"lane": []}"#), ["\"lane\" is not a known key"]);
        assert_eq!(refused(r#"{"lanes": [{"va0": 1}, {"va1": 1}]}"#), ["\"lanes.1.va1\" is not a known key"]);
        assert_eq!(refused(r#"{"named": {"a": {"va1": 1}}}"#), ["\"named.a.va1\" is not a known key"]);
        assert!(
            refused(r#"{"any": {"va0": 1}}"#).is_empty() && refused(r#"{"any": [{"va0": 1}]}"#).is_empty()
        );
        assert_eq!(refused(r#"{"any": {"va1": 1}}"#), ["\"any.va1\" is not a known key"]);
        assert_eq!(refused(r#"{"any": [{"va1": 1}]}"#), ["\"any.0.va1\" is not a known key"]);
        let found = INPUT.check(r#"{"lane": []}"#).unwrap_err();
        assert_eq!((found[0].code, &*found[0].help[0]), ("run-input", "the nearest known key is \"lanes\""));
        let far = INPUT.check(r#"{"something": 1}"#).unwrap_err();
        assert_eq!(&*far[0].help[0], "known keys are lanes, named, any, count");
    }
}
