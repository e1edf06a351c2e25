use super::*;

fn launch() -> Launch {
    Launch {
        driver: Driver::Cuda,
        local: 20,
        grid: [7, 2, 1],
        block: [48, 2, 1],
        shared: 100,
        dynamic_shared: 28,
        stack: 1000,
        registers: 15,
        parameters: alloc::vec![1, 2, 3, 4, 5],
    }
}

#[test]
fn bank_0_is_what_code_relies_on() {
    let bank = launch().bank(&[9; 0x144]);
    let word = |at: usize| u32::from_le_bytes(bank[at..at + 4].try_into().unwrap());
    assert_eq!([0, 4].map(word), [0x100_0000, 0x200_0000]);
    assert_eq!([8, 0xc, 0x10, 0x14, 0x18, 0x1c].map(word), [48, 2, 1, 7, 2, 1]);
    assert_eq!((word(0x20), word(0xfc), word(0x24)), (0xff_fff0, 28, 0x0909_0909));
    assert_eq!((&bank[0x140..], bank.len()), (&[1, 2, 3, 4, 5][..], 0x145));
}

#[test]
fn bank_0_of_deko3d_has_sizes_handles_and_storage_buffers() {
    let bank = Launch { driver: Driver::Deko3d, ..launch() }.bank(&[]);
    let word = |at: usize| u32::from_le_bytes(bank[at..at + 4].try_into().unwrap());
    assert_eq!([0, 4, 8, 0xc, 0x10, 0x14].map(word), [48, 2, 1, 7, 2, 1]);
    assert_eq!(
        [0x9c, 0xa0, 0x11c, 0x120, 0x13c].map(word),
        [0, 0x280_0028, 0x470_0047, 0x480_0048, 0x4f0_004f]
    );
    assert_eq!(bank[0x140..], [1, 2, 3, 4, 5]);
}

#[test]
fn the_stack_ends_below_its_pointer_at_a_multiple_of_16() {
    let launch = launch();
    assert_eq!(launch.stack_bottom(), 0xff_fc00);
    assert!(STACK_TOP - launch.stack_bottom() >= 1000);
    assert_eq!(launch.upper_local(), 0x400);
    let all = Launch { stack: u32::MAX, ..launch };
    assert_eq!((all.stack_bottom(), all.upper_local()), (0, 1 << 24));
}

#[test]
fn special_registers_of_a_lane() {
    let place = Place { block: [3, 1, 0], thread: [15, 1, 0], warp: 1, lane: 31, ..Place::default() };
    let value = |number| crate::special_value(number, &launch(), &place);
    let expected: [(u8, u32); 22] = [
        (0, 31),
        (2, 0x4010_4020),
        (3, 0x11f),
        (32, 0x1_000f),
        (33, 15),
        (34, 1),
        (35, 0),
        (37, 3),
        (38, 1),
        (39, 0),
        (40, 96),
        (42, 96),
        (48, 0x100_0000),
        (49, 0x100_0000),
        (50, 128),
        (54, 32),
        (55, 0xff_fc00),
        (56, 0x8000_0000),
        (57, 0x7fff_ffff),
        (58, 0xffff_ffff),
        (59, 0),
        (60, 0x8000_0000),
    ];
    for (number, want) in expected {
        assert_eq!(value(number), want, "special register {number}");
    }
    // Reserved, and those of graphics.
    assert_eq!([12, 17, 18, 255].map(value), [0; 4]);
}
