//! Tests of the memory of a dispatch.

use super::*;

#[test]
fn stacks_past_the_limit_are_refused_by_its_name() {
    let limits = Limits { memory: 3 * WAVE * 8 + 7, ..Limits::default() };
    let mut w = Workspace::new(0, 8, 0, &limits).unwrap();
    for (wave, code) in [(2, None), (3, Some("limit-exceeded"))] {
        w.enter(wave);
        let done = w.store(Space::Local, 0, u64::MAX - 3, &[0; 4]);
        assert_eq!(done.map_err(|d| d.code).err(), code, "wave {wave}");
    }
    w.enter(0);
    assert_eq!(w.store(Space::Local, 0, 0x1000, &[0; 4]).unwrap_err().code, "eval-memory-outside");
}

#[test]
fn accesses_lie_within_one_memory() {
    let limits = Limits { memory: 4096, ..Limits::default() };
    let mut w = Workspace::new(16, 8, 4, &limits).unwrap();
    w.add(0x1_0000_0000, vec![1; 8]).unwrap();
    w.add(0x1_0000_0008, vec![2; 8]).unwrap();
    w.add(0xffff_fff8, vec![3; 8]).unwrap();
    for (address, size) in [(0x1_0000_0007, 2), (0xffff_ffff, 2), (u64::MAX, 1), (0x1_0000_0010, 0)] {
        let added = w.add(address, vec![0; size]);
        assert_eq!(added.is_err(), size > 0, "{size} bytes at {address:#x}");
    }
    assert_eq!(w.add(0x2_0000_0000, vec![0; 4096]).unwrap_err().code, "limit-exceeded");
    let mut get = |space, lane, address, count| {
        let mut bytes = [9; 4];
        w.load(space, lane, address, &mut bytes[..count]).map(|()| bytes).map_err(|d| d.code)
    };
    let none = Err("eval-memory-outside");
    assert_eq!(get(Space::Global, 0, 0x1_0000_0006, 2), Ok([1, 1, 9, 9]));
    assert_eq!(get(Space::Global, 0, 0x1_0000_0008, 4), Ok([2; 4]));
    for address in [0, 0xffff_ffff, 0x1_0000_0007, 0x1_0000_0010, u64::MAX] {
        assert_eq!(get(Space::Global, 0, address, 2), none, "{address:#x}");
    }
    assert_eq!(get(Space::Shared, 0, 12, 4), Ok([0; 4]));
    assert_eq!(get(Space::Shared, 0, 13, 4), none);
    assert_eq!(get(Space::Uniforms, 0, 2, 2), Ok([0, 0, 9, 9]));
    assert_eq!(get(Space::Local, 0, 0, 1), none);
    assert_eq!(get(Space::Local, 0, 0xffff_fff7, 4), none);
    assert_eq!(get(Space::Constant(0), 0, 0, 1), none);
}

#[test]
fn each_thread_has_a_stack() {
    let mut w = Workspace::new(0, 8, 0, &Limits::default()).unwrap();
    w.enter(1);
    w.store(Space::Local, 3, 0xffff_fff8, &[5; 4]).unwrap();
    let mut get = |wave, lane| {
        let mut bytes = [0; 4];
        w.enter(wave);
        w.load(Space::Local, lane, 0xffff_fff8, &mut bytes).unwrap();
        bytes
    };
    assert_eq!([get(1, 3), get(1, 2), get(0, 3)], [[5; 4], [0; 4], [0; 4]]);
    w.begin();
    let mut bytes = [1; 4];
    w.enter(1);
    w.load(Space::Local, 3, 0xffff_fff8, &mut bytes).unwrap();
    assert_eq!(bytes, [0; 4]);
}

/// What an access changes: the loaded planes, and the buffer.
fn seen(w: &mut Workspace, access: &Access<'_>, count: usize, by_lane: bool) -> (Vec<Plane>, Vec<u8>) {
    let mut planes = vec![Plane::splat(9); count];
    let stored: Vec<Plane> = (1..=count as u32)
        .map(|i| Plane(std::array::from_fn(|lane| i * 0x0103_0507 + lane as u32)))
        .collect();
    let values: Vec<_> = stored.iter().map(|plane| [plane, plane]).collect();
    let done = match by_lane {
        true => load_each(w, access, &mut planes).and_then(|()| store_each(w, access, &values)),
        false => w.load_lanes(access, &mut planes).and_then(|()| w.store_lanes(access, &values)),
    };
    done.unwrap();
    let active = |plane: Plane| {
        Plane(std::array::from_fn(|lane| if access.lanes >> lane & 1 != 0 { plane.0[lane] } else { 0 }))
    };
    (planes.into_iter().map(active).collect(), w.buffer(BUFFER).unwrap().to_vec())
}

const BUFFER: u64 = 0x1_0000_0000;

#[test]
fn lanes_together_access_what_each_would_alone() {
    let masks: [u32; 8] = [1, 0xffff, !0, 0xf0, 0x8000_0000, 0x5555_5555, 0x00ff_00ff, 0x7fff_fffe];
    for (bytes, count) in [1, 2, 4].into_iter().flat_map(|bytes| (1..=4).map(move |count| (bytes, count))) {
        for (stride, lanes) in [0u32, 1, 2, 3, 4, 8, 16, 256].into_iter().flat_map(|s| masks.map(|m| (s, m)))
        {
            // Lanes that are not active have other addresses.
            let (first, last) = (lanes.trailing_zeros(), 31 - lanes.leading_zeros());
            let at = |lane: usize| (lane as u32).wrapping_sub(first) * stride + 8;
            let low = Plane(std::array::from_fn(|lane| if lanes >> lane & 1 != 0 { at(lane) } else { 77 }));
            let high = Plane(std::array::from_fn(|lane| lanes >> lane & 1));
            let access = Access { space: Space::Global, lanes, address: [&low, &high], bytes };
            // The buffer ends with the last component of the last lane.
            let size = 8 + ((last - first) * stride) as usize + bytes * count;
            let mut w = Workspace::new(0, 0, 0, &Limits::default()).unwrap();
            w.add(BUFFER, (0..size).map(|i| (i * 7) as u8).collect()).unwrap();
            let [together, alone] =
                [false, true].map(|by_lane| seen(&mut w.clone(), &access, count, by_lane));
            assert_eq!(together, alone, "{count} of {bytes} bytes, stride {stride}, lanes {lanes:#x}");
        }
    }
}
