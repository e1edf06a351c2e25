use crate::*;

#[test]
fn bundles_split_and_fuse() {
    let words = [0x001f_8000_fc00_07e0, 1, u64::MAX, 3];
    let fused = bundle::fuse(words);
    assert_eq!(fused.map(|f| (f >> 64) as u32), [0x7e0; 3]);
    assert_eq!(bundle::split(fused), words);
    assert_eq!([0, 1, 2, 3].map(bundle::address), [8, 16, 24, 40]);
    assert_eq!(bundle::aligned(0x20), 0x28);
}

#[test]
fn targets_stand_last() {
    let is_target = |op: &&Operand<Maxwell>| (op.kind as &dyn core::any::Any).is::<operand::Target>();
    for form in Maxwell::table().forms() {
        let Some((_, others)) = form.operands.split_last() else { continue };
        assert!(others.iter().find(is_target).is_none(), "{}", form.name);
    }
}
