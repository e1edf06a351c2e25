//! `pica200/errors-bin`: what `check` says about binaries, wrong ones and sound ones.

use crate::data::stem;
use crate::{Data, Error, Row, Table, Tally};
use shisa::diag::{Diagnostic, Severity};
use shisa::{File, Settings};

/// The rules of `errors.tsv` that `check` can find in a binary, each with the codes that report it.
const RULES: &[(&str, &[&str])] = &[
    ("adjacent-mova", &["pica-adjacent-mova"]),
    ("block-too-long", &["pica-empty-call", "pica-unused-bits", "pica-unreachable"]),
    ("break-outside-loop", &["pica-break-outside-loop"]),
    ("call-depth", &["pica-call-depth"]),
    ("constant-conflict", &["pica-constant-twice", "pica-constant-over-uniform"]),
    ("emit-without-setemit", &["pica-emit-without-setemit"]),
    ("empty-procedure", &["pica-empty-call"]),
    ("endless-loop", &["pica-endless-loop"]),
    ("flow-at-block-end", &["pica-flow-at-end"]),
    ("geometry-mode", &["pica-geometry-mode"]),
    ("geometry-only", &["pica-geometry-only"]),
    ("if-depth", &["pica-if-depth"]),
    ("jump-into-block", &["pica-jump-into-block"]),
    ("jump-out-of-procedure", &["pica-jump-out-of-procedure"]),
    ("loop-depth", &["pica-loop-depth"]),
    ("no-end", &["pica-no-end"]),
    ("no-position", &["pica-no-position"]),
    ("no-primitive", &["pica-no-primitive"]),
    ("output-not-written", &["pica-output-missing", "pica-output-kept"]),
    ("output-property-twice", &["pica-property-twice"]),
    ("output-written-twice", &["pica-output-twice"]),
    ("program-too-long", &["pica-program-length"]),
    ("read-before-write", &["pica-read-before-write"]),
    ("recursion", &["pica-recursion"]),
    ("two-inputs", &["pica-two-inputs"]),
    ("unreachable", &["pica-unreachable"]),
    ("unused", &["pica-unused-uniform", "pica-unused-input", "pica-unreachable"]),
];

/// What an interpreter met while it ran a wrong program, each with the codes that report it.
const MET: &[(&str, &[&str])] = &[
    ("adjacent-mova", &["pica-adjacent-mova"]),
    ("two-inputs", &["pica-two-inputs"]),
    ("output-written-twice", &["pica-output-twice", "pica-no-end"]),
    ("output not written", &["pica-output-missing"]),
    ("loop-stack-overflow", &["pica-loop-depth"]),
    ("if-stack-overflow", &["pica-if-depth"]),
    ("runs off the program", &["pica-no-end"]),
    ("does not stop", &["pica-endless-loop", "pica-recursion", "pica-empty-call", "pica-call-depth"]),
    ("process ended", &["pica-geometry-only"]),
];

/// Hazards that no sound program has.
const HAZARDS: &[&str] = &[
    "pica-adjacent-mova",
    "pica-two-inputs",
    "pica-output-twice",
    "pica-output-missing",
    "pica-output-kept",
    "pica-call-depth",
    "pica-if-depth",
    "pica-loop-depth",
];

/// Judges the binaries of `errors.tsv`, then those of `bin`, which are sound.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for row in Table::read(data, "pica200/errors.tsv")?.rows() {
        let path = format!("pica200/errors/bin/{}.shbin", row.get("name"));
        if data.has(&path) {
            tally.row(row.get("name"), wrong(data, &path, row));
        }
    }
    let commands = Table::read(data, "pica200/commands.tsv")?;
    // Without padding a jump may close a block in a part that never runs.
    let unpadded = |name: &str| {
        let mut rows = commands.rows();
        rows.any(|r| r.get("name") == name && r.get("picasso_arguments").split(' ').any(|a| a == "-n"))
    };
    for path in data.list("pica200/bin", ".shbin")? {
        let name = stem(&path);
        tally.row(&format!("bin/{name}"), sound(data, &path, name, unpadded(name)));
    }
    Ok(())
}

fn check(data: &Data, path: &str) -> Result<Vec<Diagnostic>, String> {
    let bytes = data.read(path).map_err(|e| e.to_string())?;
    let found = File::open(&bytes, &Settings::new()).and_then(|file| file.check());
    Ok(found.map_err(|e| e.to_string())?.into_iter().map(|f| f.diagnostic).collect())
}

fn told(found: &[Diagnostic]) -> String {
    let list: Vec<String> = found.iter().map(|d| format!("{}[{}]", d.severity.name(), d.code)).collect();
    format!("got {}", list.join(" "))
}

fn wrong(data: &Data, path: &str, row: Row<'_>) -> Result<(), String> {
    let found = check(data, path)?;
    let tells = |codes: &[&str]| found.iter().filter(|d| codes.contains(&d.code)).map(|d| d.severity).max();
    for (hazard, codes) in MET.iter().filter(|(h, _)| row.get("interpreter").contains(h)) {
        if tells(codes).is_none() {
            return Err(format!("{hazard} was met, {}", told(&found)));
        }
    }
    let rule = RULES.iter().find(|(rule, _)| *rule == row.get("rule"));
    let severity = rule.and_then(|(_, codes)| tells(codes));
    let fine = match (rule, row.get("class")) {
        // Released software breaks these rules of the hardware, too.
        (Some(("output-not-written" | "output-written-twice", _)), "hw") => {
            severity >= Some(Severity::Warning)
        }
        (Some(_), "hw") => severity == Some(Severity::Error),
        (Some(_), _) => severity.is_some(),
        // The words are sound, only not what the text says.
        (None, _) => found.iter().all(|d| d.severity != Severity::Error),
    };
    if fine {
        Ok(())
    } else {
        Err(format!("{} {} expected, {}", row.get("class"), row.get("rule"), told(&found)))
    }
}

fn sound(data: &Data, path: &str, name: &str, unpadded: bool) -> Result<(), String> {
    let found = check(data, path)?;
    let allowed = |d: &&Diagnostic| {
        unpadded && d.code == "pica-flow-at-end" || name == "gsh_banks" && d.code == "pica-output-kept"
    };
    let hazard = |d: &&Diagnostic| d.severity == Severity::Error || HAZARDS.contains(&d.code);
    match found.iter().filter(hazard).find(|d| !allowed(d)) {
        None => Ok(()),
        Some(_) => Err(format!("nothing wrong expected, {}", told(&found))),
    }
}
