//! Binding numbers in SPIR-V, renumbered for a device.

use shisa_translate::execute::without_gaps;

const DECORATE: u32 = 71;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;

#[test]
fn bindings_follow_each_other_in_their_group() {
    let header = [0; 5];
    let decorated = |id, decoration, n| [4 << 16 | DECORATE, id, decoration, n];
    let binding = |id, n| decorated(id, BINDING, n);
    let set = |id, n| decorated(id, DESCRIPTOR_SET, n);
    let module = |a: u32, b: u32, c: u32| {
        let lines = [set(1, 0), binding(1, a), binding(2, b), set(2, 0), binding(3, c), set(3, 2)];
        [&header[..], &lines.concat()].concat()
    };
    let bindings = [(0, vec![0, 16, 19]), (2, vec![7])].into();
    assert_eq!(without_gaps(&module(16, 19, 7), &bindings), module(1, 2, 0));
    assert_eq!(without_gaps(&module(16, 20, 7), &bindings), module(1, 20, 0), "unbound ones stay");
}

/// Other instructions are passed over by their lengths, and a module may end within one.
#[test]
fn only_decorations_are_changed() {
    let name = |id| [3 << 16 | 5, id, 0];
    // Four words, of which the second and third are those of a binding, and a decoration of five words.
    let other = [4 << 16 | 72, 1, BINDING, 16];
    let longer = [5 << 16 | DECORATE, 1, BINDING, 16, 0];
    let set = [4 << 16 | DECORATE, 1, DESCRIPTOR_SET, 0];
    let binding = |n| [4 << 16 | DECORATE, 1, BINDING, n];
    let module = |n| {
        let parts: [&[u32]; 8] =
            [&[9; 5], &name(1), &other, &longer, &[0], &binding(n), &set, &[4 << 16 | DECORATE, 1]];
        parts.concat()
    };
    let bindings = [(0, vec![5, 16])].into();
    assert_eq!(without_gaps(&module(16), &bindings), module(1));
    // Without a group a binding has no list.
    let alone = [&[9; 5][..], &binding(16)].concat();
    assert_eq!(without_gaps(&alone, &bindings), alone);
}
