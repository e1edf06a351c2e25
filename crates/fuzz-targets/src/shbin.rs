//! PICA200 shader binaries.

use crate::targets::{changed, sane, settings_for};
use shisa::pica200::container::Object;
use shisa::pica200::picasso::{Options, Source, assemble};
use shisa::{File, Isa, Listing};
use std::sync::OnceLock;

/// A file with a vertex program and a geometry program.
fn sample() -> &'static [u8] {
    static SAMPLE: OnceLock<Vec<u8>> = OnceLock::new();
    SAMPLE.get_or_init(|| crate::binaries().pop().unwrap_or_default())
}

/// Bytes that begin as a container does are used unchanged; other bytes select changes to a valid file.
fn file(data: &[u8]) -> Vec<u8> {
    let marks: [&[u8]; 4] = [b"DVLB", b"DVOJ", b"CGFX", b"<"];
    if marks.iter().any(|m| data.starts_with(m)) {
        return data.to_vec();
    }
    changed(sample().to_vec(), data)
}

/// Any bytes are identified. A file that is read has a listing that assembles to the same bytes, and an object is
/// written as it was read.
pub fn shbin(data: &[u8]) -> bool {
    let bytes = file(data);
    let settings = settings_for(Isa::Pica200);
    File::identify(&bytes, &settings);
    if let Ok(object) = Object::read(&bytes, &settings.limits) {
        assert_eq!(
            object.write(&settings.limits).ok().as_ref(),
            Some(&bytes),
            "an object is written as it was"
        );
    }
    let listing = Listing::new();
    let file = File::open(&bytes, &settings);
    if let Ok(Err(e)) = file.as_ref().map(|file| file.program(1).and_then(|p| p.cfg())) {
        assert!(!e.diagnostics.is_empty(), "a rejection has a reason");
    }
    let text = match file.clone().and_then(|file| file.listing(&listing)) {
        Ok(text) => text,
        Err(e) => {
            assert!(!e.diagnostics.is_empty(), "a rejection has a reason");
            sane(&e.diagnostics, &bytes);
            return false;
        }
    };
    if let Ok(file) = file {
        serde_json::to_writer(std::io::sink(), &file.listing_json(&listing))
            .expect("what has a text has JSON");
    }
    if bytes.starts_with(b"DVLB") {
        let done = assemble(&[Source { name: "", text: &text }], &Options::default(), &settings.limits);
        let back = done.bytes.unwrap_or_else(|| panic!("{:?}\n{text}", done.findings));
        assert_eq!(back, bytes, "the listing assembles to other bytes:\n{text}");
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn shbin_holds() {
        let mut random = Random::new(5);
        let mut read = 0;
        for _ in 0..400 {
            let changes: Vec<u8> = (0..4 * (1 + random.below(4))).map(|_| random.bits() as u8).collect();
            read += u32::from(shbin(&changes));
        }
        assert!(read > 120, "changes that are never accepted test little: {read}");
        for start in [&b"DVLB\x01\0\0\0"[..], b"DVOJ", b"CGFX", b"<NintendoWareIntermediateFile><BinaryData>"]
        {
            for _ in 0..100 {
                let noise = (0..random.below(200)).map(|_| random.bits() as u8 & 0x5f);
                shbin(&start.iter().copied().chain(noise).collect::<Vec<u8>>());
            }
        }
    }
}
