//! Blocks of LZ4 against the format and another decoder.

use super::lz4::compress;
use alloc::{vec, vec::Vec};

/// The matches of an LZ4 block, each as where it begins and ends in what was compressed, and how many literals follow
/// the last one.
fn matches_of(mut packed: &[u8]) -> (Vec<core::ops::Range<usize>>, usize) {
    fn length(packed: &mut &[u8], bits: u8) -> usize {
        let mut length = usize::from(bits);
        while length >= 15 {
            let more = packed.split_off_first().unwrap();
            length += usize::from(*more);
            if *more < 255 {
                break;
            }
        }
        length
    }
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        let token = *packed.split_off_first().unwrap();
        let literals = length(&mut packed, token >> 4);
        packed = &packed[literals..];
        at += literals;
        if packed.is_empty() {
            return (found, literals);
        }
        packed = &packed[2..];
        let end = at + 4 + length(&mut packed, token & 15);
        found.push(at..end);
        at = end;
    }
}

/// The format ends blocks with five literals at least, and begins no match within the last twelve bytes: decoders may copy
/// more bytes than a match has.
#[test]
fn blocks_end_with_literals() {
    let mut ends = 0;
    for length in 0..300 {
        for period in [1, 2, 3, 5, 8, 13, 29] {
            let bytes: Vec<u8> = (0..length).map(|n| (n % period) as u8).collect();
            let (matches, literals) = matches_of(&compress(&bytes));
            if let Some(last) = matches.last() {
                assert!(literals >= 5 && last.start + 12 <= length, "{length} bytes of {period}: {last:?}");
                assert_eq!(last.end + literals, length);
                ends += 1;
            }
        }
    }
    assert!(ends > 1500, "{ends} blocks have a match");
}

/// Blocks of all sorts of bytes decompress to those, and what repeats becomes short.
#[test]
fn blocks_come_back() {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) % below
    };
    let mut inputs: Vec<Vec<u8>> = (0..40).map(|len| vec![7; len]).collect();
    inputs.extend((0..40).map(|len| (0..len).map(|_| random(256) as u8).collect()));
    inputs.push(vec![0; 90_000]);
    inputs.push((0..90_000u32).map(|n| (n % 1000) as u8).collect());
    // Words of few kinds, runs, and noise, over more than a window.
    for letters in [2, 3, 200] {
        let mut bytes: Vec<u8> = vec![];
        while bytes.len() < 80_000 {
            let (value, run) = (random(letters) as u8, 1 + random(40) as usize);
            match random(3) {
                0 => bytes.resize(bytes.len() + run, value),
                1 => bytes.extend((0..run).map(|n| (n as u8).wrapping_mul(value))),
                _ => bytes.push(value),
            }
        }
        inputs.push(bytes);
    }
    for bytes in &inputs {
        let packed = compress(bytes);
        let mut out = vec![0; bytes.len()];
        assert_eq!(lz4_flex::block::decompress_into(&packed, &mut out).ok(), Some(bytes.len()));
        assert!(out == *bytes, "{} bytes", bytes.len());
        assert!(packed.len() <= bytes.len() + bytes.len() / 255 + 16);
    }
    assert!(compress(&inputs[80]).len() < 2_500);
    assert!(compress(&inputs[81]).len() < 2_500);
}
