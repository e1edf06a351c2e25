use super::special::{name, number};
use crate::launch::{Launch, Place};
use crate::*;
use alloc::{collections::BTreeSet, vec::Vec};

#[test]
fn clocks_are_named_so() {
    let name = |reg: shisa_ir::Reg| special_register(reg.unit as u8).unwrap().name;
    let names = crate::CLOCKS.map(|clock| (name(clock.low), clock.high.map(name)));
    let pair = |low, high| (low, Some(high));
    let [timer, cycles] = [pair("SR_GLOBALTIMERLO", "SR_GLOBALTIMERHI"), pair("SR_CLOCKLO", "SR_CLOCKHI")];
    assert_eq!(names, [("SR_CLOCK", None), cycles, timer]);
}

#[test]
fn special_registers_are_in_order_and_their_fields_apart() {
    assert!(SPECIAL_REGISTERS.is_sorted_by_key(|s| s.number));
    let names: BTreeSet<_> = SPECIAL_REGISTERS.iter().map(|s| s.name).collect();
    let numbers: BTreeSet<_> = SPECIAL_REGISTERS.iter().map(|s| s.number).collect();
    assert_eq!((names.len(), numbers.len()), (SPECIAL_REGISTERS.len(), SPECIAL_REGISTERS.len()));
    for (special, chip) in SPECIAL_REGISTERS.iter().flat_map(|s| Chip::ALL.map(|c| (s, c))) {
        let mut end = 0;
        for field in special.fields(chip) {
            assert!(field.lo >= end, "{}: fields overlap", special.name);
            end = field.lo + field.width;
        }
        assert!(end <= 32, "{}: fields are too wide", special.name);
        let described = special.knowledge == Knowledge::Described;
        assert_eq!(special.fields(chip).next().is_some(), described, "{}", special.name);
        assert_eq!(special.scope.is_none(), special.knowledge == Knowledge::NameOnly, "{}", special.name);
    }
}

#[test]
fn special_registers_are_found_by_the_names_of_their_chip() {
    for chip in Chip::ALL {
        let named = |n: &u8| name(*n, chip).is_some();
        let count = if chip == Chip::Sm50 { 73 } else { 74 };
        assert_eq!((0..=255).filter(named).count(), count);
        assert!((0..=255).filter(named).all(|n| name(n, chip).and_then(|s| number(s, chip)) == Some(n)));
    }
    assert_eq!(number("SR_ORDERING_TICKET", Chip::Sm50), None);
    assert_eq!(number("SR_ORDERING_TICKET", Chip::Sm52), Some(15));
}

#[test]
fn special_registers_tell_stages_and_chips_apart() {
    let register = |n| special_register(n).unwrap();
    assert!(register(33).reads_zero(ShaderStage::Fragment) && !register(33).reads_zero(ShaderStage::Compute));
    assert!(register(18).reads_zero(ShaderStage::Compute) && !register(18).reads_zero(ShaderStage::Vertex));
    assert!(register(25).reads_zero(ShaderStage::Vertex), "reserved for later");
    assert!(register(80).coupled && !register(0).coupled);
    let warp = |chip| register(3).fields(chip).find(|f| f.name == "WarpId").map(|f| f.width);
    assert_eq!([Chip::Sm50, Chip::Sm52, Chip::Sm53].map(warp), [Some(6), Some(6), Some(7)]);
    let coupled: Vec<_> = SPECIAL_REGISTERS.iter().filter(|s| s.coupled).map(|s| s.number).collect();
    assert_eq!(coupled, (4..12).chain(72..84).collect::<Vec<_>>());
    assert!(special_register(12).is_none());
}

#[test]
fn sets_name_their_registers() {
    let mut set = Set::default();
    assert_eq!(alloc::format!("{set} {set:?}"), " {}");
    set.insert(REGISTERS, 7, 2);
    assert_eq!(alloc::format!("{set}"), "R7 R8");
    set.insert(PREDICATES, 3, 1);
    set.insert(CODES, 0, 1);
    assert_eq!(alloc::format!("{set} {set:?}"), "R7 R8 P3 CC {R7 R8 P3 CC}");
}

/// A special register of a warp, or of more than that, is the same in all threads.
#[test]
fn what_belongs_to_a_warp_does_not_depend_on_the_thread() {
    let launch = Launch { grid: [5, 6, 7], block: [64, 2, 3], ..Launch::default() };
    let warp = Place { block: [4, 5, 6], warp: 3, vertices: 3, ..Place::default() };
    let mut depend = BTreeSet::new();
    for register in SPECIAL_REGISTERS {
        for (lane, thread) in [(0, [0, 0, 0]), (1, [1, 0, 0]), (9, [9, 1, 0]), (31, [31, 0, 2])] {
            let place = Place { lane, thread, ..warp };
            if special_value(register.number, &launch, &place)
                != special_value(register.number, &launch, &warp)
            {
                assert_eq!(register.scope, Some(Scope::Thread), "{}", register.name);
                depend.insert(register.name);
            }
        }
    }
    assert!(depend.contains("SR_LANEID") && depend.contains("SR_TID.Z"), "{depend:?}");
}
