//! SHA-256 (FIPS 180-4), with which file systems of the 3DS are protected.

/// Bytes of a hash.
pub(super) const HASH: usize = 32;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
const ROUNDS: [u32; 64] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
];
/// The same of the square roots of the first eight primes.
#[rustfmt::skip]
const START: [u32; 8] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
];

/// The hash of some bytes.
pub(super) fn sha256(bytes: &[u8]) -> [u8; HASH] {
    let mut state = START;
    let (blocks, rest) = bytes.as_chunks::<64>();
    blocks.iter().for_each(|block| mix(&mut state, block));
    // A bit, zeros, and the number of bits.
    let mut tail = [0u8; 128];
    tail[..rest.len()].copy_from_slice(rest);
    tail[rest.len()] = 0x80;
    let size = if rest.len() < 56 { 64 } else { 128 };
    tail[size - 8..size].copy_from_slice(&(8 * bytes.len() as u64).to_be_bytes());
    let (blocks, _) = tail[..size].as_chunks::<64>();
    blocks.iter().for_each(|block| mix(&mut state, block));
    let mut hash = [0; HASH];
    for (out, word) in hash.chunks_exact_mut(4).zip(state) {
        out.copy_from_slice(&word.to_be_bytes());
    }
    hash
}

fn mix(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for n in 16..64 {
        let (a, b) = (words[n - 15], words[n - 2]);
        let low = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let high = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        words[n] = words[n - 16].wrapping_add(low).wrapping_add(words[n - 7]).wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, round) in words.into_iter().zip(ROUNDS) {
        let high = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = e & f ^ !e & g;
        let first = [high, chosen, round, word].into_iter().fold(h, u32::wrapping_add);
        let low = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let most = a & b ^ a & c ^ b & c;
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(low).wrapping_add(most));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String, vec};

    /// The examples of the standard, and the lengths at which the padding changes.
    #[test]
    fn known_hashes() {
        let hex = |bytes: &[u8]| sha256(bytes).iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        let two = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(two), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        assert_eq!(
            hex(&vec![b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }
}
