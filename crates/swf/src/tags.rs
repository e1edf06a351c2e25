//! The list of tags.

use crate::code::{self, ByteCode};
use crate::container::HEADER_BYTES;
use crate::{Place, Search, Step, binary};
use shisa_diag::Diagnostic;
use std::collections::BTreeMap;
use swf::extensions::ReadSwfExt;
use swf::read::Reader;
use swf::{SwfStr, TagCode};

/// Searches the tags of a body.
///
/// # Errors
/// A tag that is cut off; the parts before it are searched. `limit-exceeded`.
pub(crate) fn walk(
    search: &mut Search<'_>,
    body: &[u8],
    version: u8,
    outer: &[Step],
) -> Result<(), Diagnostic> {
    let first = search.found.len();
    let mut parts = Parts::default();
    let whole = collect(search, body, version, outer, &mut parts);
    for data in &parts.data {
        let class = parts.classes.get(&data.character).cloned();
        binary::search(search, data.bytes, data.offset, &data.path, |start| Place::BinaryData {
            character: data.character,
            class: class.clone(),
            start,
        })?;
    }
    let named = parts.data.iter().filter_map(|d| Some((parts.classes.get(&d.character)?.clone(), d.bytes)));
    code::search(search, &parts.code, named.collect(), first)?;
    whole
}

/// The parts of a body that can contain AGAL.
#[derive(Default)]
struct Parts<'a> {
    data: Vec<Data<'a>>,
    code: Vec<ByteCode<'a>>,
    /// Classes by the characters that they are associated with.
    classes: BTreeMap<u16, String>,
}

/// Binary data.
struct Data<'a> {
    character: u16,
    bytes: &'a [u8],
    offset: usize,
    path: Vec<Step>,
}

/// A tag.
pub(crate) struct Tag<'a> {
    /// Index from 0.
    pub(crate) number: u32,
    pub(crate) code: Option<TagCode>,
    pub(crate) data: &'a [u8],
    /// The offset of the data in the file.
    pub(crate) offset: usize,
    /// The offset of its header in the file.
    pub(crate) start: usize,
}

/// Each tag up to the end tag.
pub(crate) fn each(body: &[u8], version: u8) -> impl Iterator<Item = Result<Tag<'_>, Diagnostic>> {
    let mut reader = Reader::new(body, version);
    let mut broken = skip_header(&mut reader).is_none();
    let mut number = 0;
    std::iter::from_fn(move || {
        if std::mem::take(&mut broken) {
            let d = Diagnostic::error("swf-header", "the frame size of the SWF is cut off");
            reader = Reader::new(&[], version);
            return Some(Err(d));
        }
        if reader.get_ref().is_empty() {
            return None;
        }
        let offset = |reader: &Reader<'_>| HEADER_BYTES + body.len() - reader.get_ref().len();
        let start = offset(&reader);
        let read = reader.read_tag_code_and_length().and_then(|(c, n)| Ok((c, reader.read_slice(n)?)));
        let Ok((code, data)) = read else {
            reader = Reader::new(&[], version);
            let text = format!("tag {number} is cut off: the SWF ends inside it");
            let place = start..HEADER_BYTES + body.len();
            return Some(Err(Diagnostic::error("swf-tag", text).at_bytes(place, "once decompressed")));
        };
        let code = TagCode::from_u16(code);
        if code == Some(TagCode::End) {
            return None;
        }
        number += 1;
        Some(Ok(Tag { number: number - 1, code, data, offset: offset(&reader) - data.len(), start }))
    })
}

/// Skips the frame's rectangle, rate and count.
fn skip_header(reader: &mut Reader<'_>) -> Option<()> {
    let bits = usize::from(reader.get_ref().first()? >> 3);
    // Five bits of width, then four numbers of that width.
    let rectangle = (5 + 4 * bits).div_ceil(8);
    reader.read_slice(rectangle + 4).ok().map(|_| ())
}

/// A text in UTF-8, with U+FFFD for what is not. `SwfStr::to_string_lossy` takes any encoding, and with it come the tables
/// of all encodings: a twentieth of the module for JavaScript.
fn lossy(text: &SwfStr) -> String {
    String::from_utf8_lossy(text.as_bytes()).into_owned()
}

/// Collects the parts of a body, up to the first tag that is cut off.
fn collect<'a>(
    search: &mut Search<'_>,
    body: &'a [u8],
    version: u8,
    outer: &[Step],
    parts: &mut Parts<'a>,
) -> Result<(), Diagnostic> {
    for tag in each(body, version) {
        let tag = tag?;
        let path = [outer, &[Step::Tag(tag.number)]].concat();
        let mut reader = Reader::new(tag.data, version);
        let at = |inner: &[u8]| tag.offset + tag.data.len() - inner.len();
        let cut_off = |_| Diagnostic::error("swf-tag", format!("the data of tag {} is cut off", tag.number));
        match tag.code {
            Some(TagCode::DefineBinaryData) => match reader.read_define_binary_data() {
                Ok(d) => {
                    let (character, bytes) = (d.id, d.data);
                    parts.data.push(Data { character, bytes, offset: at(bytes), path });
                }
                Err(e) => search.sink.push(cut_off(e)),
            },
            Some(TagCode::DoAbc) => {
                parts.code.push(ByteCode { name: String::new(), bytes: tag.data, offset: tag.offset, path });
            }
            Some(TagCode::DoAbc2) => match reader.read_do_abc_2() {
                Ok(d) => {
                    let name = lossy(d.name);
                    parts.code.push(ByteCode { name, bytes: d.data, offset: at(d.data), path });
                }
                Err(e) => search.sink.push(cut_off(e)),
            },
            Some(TagCode::SymbolClass) => {
                let mut read = || {
                    for _ in 0..reader.read_u16()? {
                        let (id, name) = (reader.read_u16()?, reader.read_str()?);
                        parts.classes.entry(id).or_insert_with(|| lossy(name));
                    }
                    Ok(())
                };
                if let Err(e) = read() {
                    search.sink.push(cut_off(e));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
