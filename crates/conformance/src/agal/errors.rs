//! `agal/errors` and `agal/linkage`: what players say about wrong programs.

use crate::tally::same;
use crate::{Data, Error, Row, Table, Tally};
use shisa::agal::{Program, rules};
use shisa::diag::Limits;

/// Judges `errors.tsv`: the number, the token, the operand and the text of the first fault.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for row in Table::read(data, "agal/errors/errors.tsv")?.rows() {
        tally.row(row.get("file"), program(data, row));
    }
    Ok(())
}

fn program(data: &Data, row: Row<'_>) -> Result<(), String> {
    let bytes = data.read(&format!("agal/errors/{}", row.get("file"))).map_err(|e| e.to_string())?;
    let found = rules::first(&bytes, &Limits::default()).map_err(|d| d.to_string())?;
    let all = rules::check(&bytes, &Limits::default()).map_err(|d| d.to_string())?;
    same(&found.as_ref(), &all.first())?;
    let number = found.as_ref().map_or("OK".to_owned(), |f| f.number.to_string());
    same(&row.get("expected"), &number.as_str())?;
    let Some(found) = found else { return Ok(()) };
    if let Ok(token) = row.get("token").parse::<u32>() {
        same(&Some(token), &found.token)?;
    }
    if !row.get("operand").is_empty() {
        same(&Some(row.get("operand")), &found.part.map(|p| p.name()))?;
    }
    let said = &found.diagnostic.message;
    let trace = row.get("flash_trace").split_once(": ").and_then(|(_, t)| t.split_once(": ")).map(|(_, t)| t);
    // The table names the kind of program that was asked for. A damaged header does not hold it.
    let kind = if row.get("stage") == "vert" { "vertex program" } else { "fragment program" };
    let message = match Program::sniff(&bytes) {
        true => row.get("message").to_owned(),
        false => row.get("message").replace(kind, "%4 program"),
    };
    match fits(&message, said) || trace == Some(said) {
        true => Ok(()),
        false => Err(format!("expected {:?}, got {said:?}", row.get("message"))),
    }
}

/// Whether a text fits a template in which `%2` and `%4` stand for anything.
fn fits(template: &str, text: &str) -> bool {
    let mut rest = text;
    let mut parts = template.split("%2").flat_map(|p| p.split("%4"));
    let first = parts.next().unwrap_or_default();
    let Some(behind) = rest.strip_prefix(first) else { return false };
    rest = behind;
    let mut open = false;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        open = part.is_empty();
    }
    open || rest.is_empty()
}

/// Judges `linkage.tsv`: the number and the varying of the first fault of a pair.
pub(crate) fn linkage(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for row in Table::read(data, "agal/errors/linkage.tsv")?.rows() {
        tally.row(&format!("{} {}", row.get("vertex"), row.get("fragment")), pair(data, row));
    }
    Ok(())
}

fn pair(data: &Data, row: Row<'_>) -> Result<(), String> {
    let read = |name: &str| {
        let bytes = data.read(&format!("agal/{name}")).map_err(|e| e.to_string())?;
        Program::read(&bytes, &Limits::default()).map_err(|d| d.to_string())
    };
    let (vertex, fragment) = (read(row.get("vertex"))?, read(row.get("fragment"))?);
    let first = rules::link(&vertex, &fragment).into_iter().next();
    let number = first.as_ref().map_or("OK".to_owned(), |f| f.number.to_string());
    same(&row.get("expected"), &number.as_str())?;
    let Some(first) = first else { return Ok(()) };
    let said = &first.diagnostic.message;
    let template = row.get("message");
    let expected = template.replace("%1", row.get("varying"));
    let named = expected == *said
        || expected.replace(row.get("varying"), row.get("varying").trim_start_matches('v')) == *said;
    match named {
        true => Ok(()),
        false => Err(format!("expected {expected:?}, got {said:?}")),
    }
}
