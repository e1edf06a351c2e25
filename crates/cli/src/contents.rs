//! Contents of memory that the inputs of a run take from files: `"@data.bin"`, and `"@data.npy"` of NumPy.

use crate::input::Input;
use crate::stop::Stop;
use serde_json::Value;
use shisa::diag::escape;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// Keys whose texts are bytes in base64.
const BASE64: [&str; 2] = ["data", "expected"];
/// Keys whose texts are bytes in hexadecimal, themselves or in what they contain.
const HEXADECIMAL: [&str; 2] = ["params", "constants"];
/// How a file of NumPy begins.
const NUMPY: &[u8] = b"\x93NUMPY";

/// The text of an input in which the names of files are replaced by their contents. Names are relative to the folder of
/// the input. A file may have `limit` bytes.
///
/// # Errors
/// Files that cannot be read, and files of NumPy with elements in another order than memory has.
pub(crate) fn filled<'t>(text: &'t str, input: &OsStr, limit: usize) -> Result<Cow<'t, str>, Stop> {
    if !text.contains("\"@") {
        return Ok(text.into());
    }
    // Whoever runs the program reports a text that is no JSON.
    let Ok(mut json) = serde_json::from_str::<Value>(text) else { return Ok(text.into()) };
    let folder = Path::new(input).parent().unwrap_or(Path::new(""));
    fill(&mut json, &|name| read(&folder.join(name), limit), None)?;
    Ok(json.to_string().into())
}

/// How bytes are written as a text.
type Encoding = fn(&[u8]) -> String;

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Replaces the names of files in a value, whose texts are bytes in an encoding.
fn fill(
    value: &mut Value,
    read: &impl Fn(&str) -> Result<Vec<u8>, Stop>,
    encoding: Option<Encoding>,
) -> Result<(), Stop> {
    match value {
        Value::Object(members) => members.iter_mut().try_for_each(|(key, member)| {
            let encoding = match &**key {
                key if BASE64.contains(&key) => Some(shisa_run::to_base64 as Encoding),
                key if HEXADECIMAL.contains(&key) => Some(hexadecimal as Encoding),
                _ => encoding,
            };
            fill(member, read, encoding)
        }),
        Value::Array(all) => all.iter_mut().try_for_each(|member| fill(member, read, encoding)),
        Value::String(text) => {
            if let (Some(name), Some(encode)) = (text.strip_prefix('@'), encoding) {
                *text = encode(&read(name)?);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The bytes of a file; of a file of NumPy those of the elements.
fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Stop> {
    let bytes = Input::read(path, limit)?.bytes;
    if !bytes.starts_with(NUMPY) {
        return Ok(bytes);
    }
    elements(&bytes)
        .map(<[u8]>::to_vec)
        .map_err(|why| Stop::File(format!("{}: {why}", escape(&path.to_string_lossy()))))
}

/// The elements of a file of NumPy (its format NPY, versions 1 to 3).
fn elements(bytes: &[u8]) -> Result<&[u8], &'static str> {
    let cut = "the file of NumPy ends within its header";
    let version = *bytes.get(NUMPY.len()).ok_or(cut)?;
    let (start, width) = if version == 1 { (10, 2) } else { (12, 4) };
    let size = bytes.get(8..8 + width).ok_or(cut)?;
    let size = size.iter().rev().fold(0usize, |n, b| n << 8 | usize::from(*b));
    let header = bytes.get(start..).and_then(|rest| rest.get(..size)).ok_or(cut)?;
    let header = String::from_utf8_lossy(header);
    if header.contains("'fortran_order': True") {
        return Err("the array of NumPy is stored column by column; store it in C's order");
    }
    if header.contains("'descr': '>") || header.contains("'descr': '|O") {
        return Err("the elements of NumPy are neither little-endian nor bytes");
    }
    bytes.get(start + size..).ok_or(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let size = header.len().to_le_bytes();
        let size = if version == 1 { &size[..2] } else { &size[..4] };
        [NUMPY, &[version, 0], size, header.as_bytes(), data].concat()
    }

    #[test]
    fn arrays_have_a_header() {
        let plain = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
        for version in [1, 2, 3] {
            assert_eq!(elements(&array(version, plain, b"12345678")), Ok(&b"12345678"[..]));
        }
        assert!(elements(&array(1, &plain.replace("False", "True"), b"")).is_err());
        assert!(elements(&array(1, &plain.replace('<', ">"), b"")).is_err());
        let whole = array(1, plain, b"");
        assert!((NUMPY.len()..whole.len()).all(|end| elements(&whole[..end]).is_err()));
    }

    #[test]
    fn names_are_replaced_where_bytes_are() {
        let mut json = serde_json::json!({
            "kernel": "@k", "params": "@p", "buffers": [{ "data": "@d", "type": "u8" }], "constants": { "3": "@c" },
        });
        fill(&mut json, &|name| Ok(name.as_bytes().to_vec()), None).map_err(|_| "fails").unwrap();
        let wanted = serde_json::json!({
            "kernel": "@k", "params": "70", "buffers": [{ "data": "ZA==", "type": "u8" }], "constants": { "3": "63" },
        });
        assert_eq!(json, wanted);
    }
}
