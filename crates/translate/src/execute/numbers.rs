//! Binding numbers in SPIR-V.

use std::collections::BTreeMap;

const DECORATE: u32 = 71;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;

/// The words with the bindings of each group renumbered from 0 without gaps, as wgpu numbers them. `bindings` has
/// those of each group in ascending order.
pub fn without_gaps(words: &[u32], bindings: &BTreeMap<u32, Vec<u32>>) -> Vec<u32> {
    let mut words = words.to_vec();
    // The group of each variable, and the offset of its binding number.
    let (mut groups, mut places) = (BTreeMap::new(), Vec::new());
    let mut at = 5;
    while let Some(first) = words.get(at) {
        let length = (first >> 16) as usize;
        if let [word, id, decoration, number] = words[at..(at + length).min(words.len())]
            && word & 0xffff == DECORATE
        {
            match decoration {
                DESCRIPTOR_SET => drop(groups.insert(id, number)),
                BINDING => places.push((id, at + 3)),
                _ => {}
            }
        }
        at += length.max(1);
    }
    for (id, place) in places {
        let list = groups.get(&id).and_then(|group| bindings.get(group));
        if let Some(n) = list.and_then(|list| list.iter().position(|b| *b == words[place])) {
            words[place] = n as u32;
        }
    }
    words
}
