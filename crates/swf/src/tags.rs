//! The list of tags.

use crate::container::HEADER_BYTES;
use crate::{Found, Place, Search, abc, binary};
use shisa_diag::Diagnostic;
use std::collections::BTreeMap;
use swf::TagCode;
use swf::extensions::ReadSwfExt;
use swf::read::Reader;

/// Searches the tags of a body.
pub(crate) fn walk(search: &mut Search<'_>, body: &[u8], version: u8, outer: &[u32]) {
    let first = search.found.len();
    if let Err(d) = tags(search, body, version, outer) {
        search.sink.push(d);
    }
    name_classes(search, body, version, first, outer.len());
}

/// A tag.
struct Tag<'a> {
    /// Index from 0.
    number: u32,
    code: Option<TagCode>,
    data: &'a [u8],
    /// The offset of the data in the file.
    offset: usize,
}

/// Each tag up to the end tag.
fn each(body: &[u8], version: u8) -> impl Iterator<Item = Result<Tag<'_>, Diagnostic>> {
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
        let behind = |reader: &Reader<'_>| HEADER_BYTES + body.len() - reader.get_ref().len();
        let start = behind(&reader);
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
        Some(Ok(Tag { number: number - 1, code, data, offset: behind(&reader) - data.len() }))
    })
}

/// Skips the frame's rectangle, rate and count.
fn skip_header(reader: &mut Reader<'_>) -> Option<()> {
    let bits = usize::from(reader.get_ref().first()? >> 3);
    // Five bits of width, then four numbers of that width.
    let rectangle = (5 + 4 * bits).div_ceil(8);
    reader.read_slice(rectangle + 4).ok().map(|_| ())
}

fn tags(search: &mut Search<'_>, body: &[u8], version: u8, outer: &[u32]) -> Result<(), Diagnostic> {
    for tag in each(body, version) {
        let tag = tag?;
        let path = [outer, &[tag.number]].concat();
        let mut reader = Reader::new(tag.data, version);
        let at = |inner: &[u8]| tag.offset + tag.data.len() - inner.len();
        let cut_off = |_| Diagnostic::error("swf-tag", format!("the data of tag {} is cut off", tag.number));
        match tag.code {
            Some(TagCode::DefineBinaryData) => match reader.read_define_binary_data() {
                Ok(d) => binary::search(search, d.data, at(d.data), d.id, &path)?,
                Err(e) => search.sink.push(cut_off(e)),
            },
            Some(TagCode::DoAbc) => abc::search(search, tag.data, tag.offset, "", &path)?,
            Some(TagCode::DoAbc2) => match reader.read_do_abc_2() {
                Ok(d) => abc::search(search, d.data, at(d.data), &d.name.to_string_lossy(swf::UTF_8), &path)?,
                Err(e) => search.sink.push(cut_off(e)),
            },
            _ => {}
        }
    }
    Ok(())
}

/// Sets the classes of the binary data found since `first`, which later tags may name.
fn name_classes(search: &mut Search<'_>, body: &[u8], version: u8, first: usize, depth: usize) {
    let own = |f: &Found| f.tags.len() == depth + 1;
    if !search.found.iter().skip(first).any(own) {
        return;
    }
    let mut names: BTreeMap<u16, String> = BTreeMap::new();
    for tag in each(body, version).flatten().filter(|t| t.code == Some(TagCode::SymbolClass)) {
        let mut reader = Reader::new(tag.data, version);
        for _ in 0..reader.read_u16().unwrap_or(0) {
            let (Ok(id), Ok(name)) = (reader.read_u16(), reader.read_str()) else { break };
            names.entry(id).or_insert_with(|| name.to_string_lossy(swf::UTF_8));
        }
    }
    for found in search.found.iter_mut().skip(first).filter(|f| own(f)) {
        if let Place::BinaryData { character, class, .. } = &mut found.place {
            *class = names.get(character).cloned();
        }
    }
}
