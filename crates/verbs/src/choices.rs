//! Limits and choices by name.

use shisa::Settings;
use shisa::diag::{Choice, Limits};

/// Sets a limit by its name.
///
/// # Errors
/// What names there are, if there is no such one or if it cannot have the value.
pub fn set_limit(settings: &mut Settings, name: &str, value: Option<u64>) -> Result<(), String> {
    match value.is_some_and(|value| settings.limits.set(name, value)) {
        true => Ok(()),
        false => Err(format!("expected a name and a number; names are {}", Limits::NAMES.join(", "))),
    }
}

/// Chooses behaviour that hardware leaves open.
///
/// # Errors
/// What choices there are, if there is no such one.
pub fn set_choice(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    match settings.set(key, value) {
        true => Ok(()),
        false => Err(format!("the choices are {}", choices())),
    }
}

/// All choices, in the form `ifg=ge|gt`.
fn choices() -> String {
    let one = |c: &Choice| {
        let values: Vec<&str> = c.values.iter().map(|v| v.0).collect();
        format!("{}={}", c.key, values.join("|"))
    };
    Settings::choices().map(one).collect::<Vec<_>>().join(", ")
}
