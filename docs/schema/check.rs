//! Checks JSON against the schemas beside this file. Tests of several crates include it.

use serde_json::Value as Json;

/// Checks a value against the part of JSON Schema that the schema uses; answers with what is wrong.
pub(crate) fn faults(root: &Json, schema: &Json, value: &Json, at: &str) -> Vec<String> {
    let fault = |what: &str| vec![format!("{at}: {what}: {value}")];
    let schema = match schema["$ref"].as_str() {
        Some(name) => root.pointer(name.trim_start_matches('#')).unwrap(),
        None => schema,
    };
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    let kinds = match &schema["type"] {
        Json::String(s) => vec![s.as_str()],
        Json::Array(a) => a.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|k| is(k)) {
        return fault("wrong type");
    }
    if schema.get("const").is_some_and(|c| c != value) {
        return fault("wrong constant");
    }
    if schema["enum"].as_array().is_some_and(|e| !e.contains(value)) {
        return fault("not in the list");
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let all: Vec<_> = any.iter().map(|s| faults(root, s, value, at)).collect();
        return if all.iter().any(Vec::is_empty) { Vec::new() } else { all.concat() };
    }
    let mut list = Vec::new();
    if let (Some(minimum), Some(n)) = (schema["minimum"].as_f64(), value.as_f64())
        && n < minimum
    {
        list.extend(fault("too small"));
    }
    for item in value.as_array().into_iter().flatten() {
        list.extend(faults(root, &schema["items"], item, at));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        if value.get(name).is_none() {
            list.extend(fault(&format!("lacks {name}")));
        }
    }
    let others = &schema["additionalProperties"];
    for (name, member) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(s) => list.extend(faults(root, s, member, &format!("{at}.{name}"))),
            None if others.is_object() => list.extend(faults(root, others, member, &format!("{at}.{name}"))),
            None if others == true => {}
            None => list.extend(fault(&format!("{name} is not in the schema"))),
        }
    }
    list
}
