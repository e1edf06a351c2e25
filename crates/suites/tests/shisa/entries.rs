//! Every program of a file that opens has an entry in the file's identity, also where the file is damaged.

use serde_json::Value;
use shisa::{File, Settings};
use shisa_conformance::{Data, programs};

/// Sets of programs of each family, and how many of a set are taken.
const SETS: [&str; 6] = ["agal/bin", "pica200/bin", "agx/exec", "agx/links", "maxwell/glsl", "maxwell/cuda"];
const TAKEN: usize = 12;
/// Cuts of a file.
const CUTS: usize = 40;

/// The number of programs of a file, each of which has an entry.
fn entries(name: &str, bytes: &[u8]) -> usize {
    let Ok(file) = File::open(bytes, &Settings::untrusted()) else { return 0 };
    for program in file.programs() {
        program.entry().unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    file.programs().len()
}

#[test]
fn programs_of_cut_files_have_entries() {
    for set in SETS {
        let data = Data::corpus(set.split('/').next().unwrap()).unwrap();
        let all = programs(&data, set).unwrap();
        let mut found = 0;
        for program in all.iter().step_by(all.len().div_ceil(TAKEN)) {
            let size = program.bytes.len();
            let cuts = (0..=CUTS).map(|n| size - n * size / CUTS);
            found += cuts.map(|end| entries(&program.name, &program.bytes[..end])).sum::<usize>();
        }
        assert!(found > TAKEN / 2, "{set}: {found} programs");
    }
}

/// Removes each key of a JSON value, which is at a path of a file, from the file in turn, at any depth.
fn remove(file: &mut Value, path: &[String], below: &Value, found: &mut dyn FnMut(&Value)) {
    let pointer: String = path.iter().map(|key| format!("/{key}")).collect();
    let keys: Vec<String> = below.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
    for key in keys {
        let object = file.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap();
        let value = object.remove(&key).unwrap();
        found(file);
        file.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap().insert(key.clone(), value.clone());
        let path: Vec<String> = path.iter().cloned().chain([key]).collect();
        remove(file, &path, &value, found);
    }
}

#[test]
fn programs_of_parts_without_metadata_have_entries() {
    let text = Data::corpus("agx").unwrap().text("agx/links.jsonl").unwrap();
    let (mut files, mut found) = (0, 0);
    for line in text.lines().step_by(40) {
        let case: Value = serde_json::from_str(line).unwrap();
        for kind in ["main", "prolog", "epilog", "linked"] {
            let Some(part) = case.get(kind).filter(|part| part.is_object()) else { continue };
            remove(&mut part.clone(), &[], part, &mut |changed| {
                files += 1;
                found += entries(kind, changed.to_string().as_bytes());
            });
        }
    }
    assert!(files > 100 && found > files / 2, "{found} programs in {files} files");
}
