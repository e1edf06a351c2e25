//! Inputs of runs, reduced to one lane.

use serde_json::Value;

/// An input in which every list that has an element for each of `lanes` lanes has that of one lane only. The number of lanes
/// is 1, and lanes are no pixels of a grid. The result need not be an input that runs.
pub(crate) fn of_lane(input: &Value, lanes: usize, lane: usize) -> Value {
    match input {
        Value::Array(list) if list.len() == lanes => {
            list.get(lane).map(|element| of_lane(element, lanes, lane)).into_iter().collect()
        }
        Value::Array(list) => list.iter().map(|element| of_lane(element, lanes, lane)).collect(),
        Value::Object(object) => {
            let own = object.iter().filter(|(key, _)| *key != "grid");
            let value = |(key, value): (&String, &Value)| match key.as_str() {
                "lanes" if value.is_number() => (key.clone(), 1.into()),
                _ => (key.clone(), of_lane(value, lanes, lane)),
            };
            Value::Object(own.map(value).collect())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_lane;
    use serde_json::json;

    #[test]
    fn lists_of_lanes_have_one_element() {
        let input = json!({
            "lanes": 3, "grid": {"width": 3, "height": 1}, "constants": {"c0": "0 1"},
            "varyings": {"v0": ["a", "b", "c"], "v1": ["d", "e", "f"]}, "levels": [["x", "y"]],
        });
        let want = json!({
            "lanes": 1, "constants": {"c0": "0 1"}, "varyings": {"v0": ["b"], "v1": ["e"]}, "levels": [["x", "y"]],
        });
        assert_eq!(of_lane(&input, 3, 1), want);
        assert_eq!(of_lane(&json!({"vertices": [3, 9]}), 2, 1), json!({"vertices": [9]}));
    }
}
