//! Waves that wait for each other.

use crate::common::{block, compiled, edge, function, has_code, in_order, levels_of_code, program};
use shisa_diag::{Diagnostic, Limits};
use shisa_exec::{Arrival, Environment, HostLevel, MemoryAccess, Outputs, Program, Stop, WaveRunner};
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{
    Arrival as How, Binary, Builder, Convert, End, File, FileId, FileKind, Func, Nodes, Op, Reg, Scalar,
    Space, Swizzle, Type, Value, WAVE,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 64, scalar: Scalar::I32 }
}

static FILES: [File; 2] = [file("in", FileKind::Input), file("c", FileKind::Uniform)];

/// The number of the thread.
const THREAD: Reg = Reg::new(FileId(0), 0);
const UNIFORM: Reg = Reg::new(FileId(1), 0);

/// 64 words of shared memory, then 64 of global memory.
struct Both([u32; 128]);

impl Both {
    fn word(&mut self, access: &MemoryAccess<'_>, lane: usize) -> &mut u32 {
        let first = if access.space == Space::Shared { 0 } else { 64 };
        &mut self.0[first + access.address[0][lane] as usize / 4]
    }
}

impl Environment for Both {
    fn load(&mut self, access: &MemoryAccess<'_>, values: &mut [Words]) -> Result<(), Diagnostic> {
        for lane in (0..WAVE).filter(|lane| access.lanes >> lane & 1 != 0) {
            values[0][lane] = *self.word(access, lane);
        }
        Ok(())
    }

    fn store(&mut self, access: &MemoryAccess<'_>, values: &[Words]) -> Result<(), Diagnostic> {
        for lane in (0..WAVE).filter(|lane| access.lanes >> lane & 1 != 0) {
            *self.word(access, lane) = values[0][lane];
        }
        Ok(())
    }
}

/// Two waves on every level, without and with machine code.
fn levels(program: &Program) -> Vec<[WaveRunner; 2]> {
    let mut all = Vec::new();
    for level in HostLevel::ALL.into_iter().filter(|level| level.is_available()) {
        let mut waves = [0, 1].map(|_| program.wave_runner());
        waves.iter_mut().for_each(|wave| assert!(wave.set_level(level)));
        all.push(waves);
    }
    for level in levels_of_code() {
        let mut coded = program.clone();
        if has_code(&mut coded, level) {
            all.push([0, 1].map(|_| coded.wave_runner()));
        }
    }
    for waves in &mut all {
        (0..).zip(waves).for_each(|(number, wave)| start(wave, number));
    }
    all
}

/// Starts a wave; the second of two has 8 lanes less.
fn start(wave: &mut WaveRunner, number: u32) {
    wave.start(if number == 0 { u32::MAX } else { 0x00ff_ffff });
    wave.set_input(THREAD, &std::array::from_fn(|lane| 32 * number + lane as u32));
    // Another register has no effect.
    wave.set_input(Reg::new(FileId(0), 5), &[7; WAVE]);
}

fn thread(b: &mut Builder<'_>) -> Value {
    b.read(THREAD, Swizzle::IDENTITY, Type::I32)
}

fn address(b: &mut Builder<'_>, number: Value) -> Value {
    let four = b.i32(4);
    b.binary(Binary::IMul, number, four)
}

#[test]
fn waves_see_what_others_stored_before_the_barrier() {
    // Each thread stores its number, and reads that of a thread of the other wave, plus a uniform.
    let function = function(&FILES, |b| {
        let (own, bit) = (thread(b), b.i32(32));
        let uniform = b.read(UNIFORM, Swizzle::IDENTITY, Type::I32);
        let at = address(b, own);
        b.store(Space::Shared, at, own);
        b.push(Op::Barrier, Type::NONE);
        let other = b.binary(Binary::Xor, own, bit);
        let from = address(b, other);
        let value = b.load(Space::Shared, from, Type::I32);
        let sum = b.iadd(value, uniform);
        b.store(Space::Global, at, sum);
    });
    let program = program(&function);
    assert!(program.has_barriers());
    let refused = program.runner().run(1, &[], &mut Outputs { slots: &[], data: &mut [] }, &mut []);
    assert_eq!(refused.unwrap_err().code, "exec-unsupported");
    for mut waves in levels(&program) {
        // Twice: a wave that has ended starts again.
        for _ in 0..2 {
            let (mut memory, mut left) = (Both([1000; 128]), u64::MAX);
            waves.iter_mut().for_each(|wave| wave.set_uniforms(UNIFORM, &[5]));
            let first = waves.each_mut().map(|wave| wave.run(&mut memory, &mut left).unwrap());
            let lanes = [u32::MAX, 0x00ff_ffff];
            assert_eq!(first, lanes.map(|lanes| Stop::Barrier(Arrival::Everybody { lanes })));
            assert_eq!(memory.0[64..], [1000; 64]);
            let last = waves.each_mut().map(|wave| wave.run(&mut memory, &mut left).unwrap());
            assert_eq!(last, [Stop::Ended; 2]);
            for n in 0..56 {
                let other = n ^ 32;
                assert_eq!(memory.0[64 + n], if other < 56 { other as u32 + 5 } else { 1005 }, "thread {n}");
            }
            assert_eq!(memory.0[64 + 56..], [1000; 8]);
            assert!(left < u64::MAX);
            for (number, wave) in (0..).zip(&mut waves) {
                start(wave, number);
            }
        }
        waves[0].start(0);
        assert_eq!(waves[0].run(&mut Both([0; 128]), &mut u64::MAX.clone()).unwrap(), Stop::Ended);
    }
}

#[test]
fn arrivals_have_votes_and_results() {
    let function = function(&FILES, |b| {
        let own = thread(b);
        let before = b.push(Op::Reduced, Type::I32);
        let odd = b.convert(Convert::Truncate, own, Scalar::I1);
        let (number, threads) = (b.i32(3), b.i32(64));
        b.push(Op::Arrive { how: How::Count, number, threads, vote: odd }, Type::NONE);
        let after = b.push(Op::Reduced, Type::I32);
        let sum = b.iadd(before, after);
        let at = address(b, own);
        b.store(Space::Global, at, sum);
    });
    for waves in levels(&program(&function)) {
        let (mut memory, mut left) = (Both([0; 128]), u64::MAX);
        for ((first, lanes), mut wave) in [(0, u32::MAX), (32, 0x00ff_ffff)].into_iter().zip(waves) {
            let stop = wave.run(&mut memory, &mut left).unwrap();
            let votes = 0xaaaa_aaaa & lanes;
            let want = Arrival::Numbered { how: How::Count, number: 3, threads: 64, lanes, votes };
            assert_eq!(stop, Stop::Barrier(want));
            wave.set_reduced(&std::array::from_fn(|lane| 100 + lane as u32));
            assert_eq!(wave.run(&mut memory, &mut left).unwrap(), Stop::Ended);
            assert!((0..24).all(|n| memory.0[64 + first + n] == 100 + n as u32));
        }
    }
}

#[test]
fn lanes_agree_about_a_barrier() {
    let function = function(&FILES, |b| {
        let (own, zero) = (thread(b), b.i32(0));
        let vote = b.push(Op::Const(0), Type::BOOL);
        b.push(Op::Arrive { how: How::Wait, number: own, threads: zero, vote }, Type::NONE);
    });
    for [mut wave, _] in levels(&program(&function)) {
        let refused = wave.run(&mut Both([0; 128]), &mut u64::MAX.clone()).unwrap_err();
        assert_eq!(refused.code, "exec-divergent");
        // One lane always agrees with itself.
        wave.start(1 << 9);
        wave.set_input(THREAD, &[9; WAVE]);
        let stop = wave.run(&mut Both([0; 128]), &mut u64::MAX.clone()).unwrap();
        let lanes = 1 << 9;
        let want = Arrival::Numbered { how: How::Wait, number: 9, threads: 0, lanes, votes: 0 };
        assert_eq!(stop, Stop::Barrier(want));
    }
}

#[test]
fn limits_count_the_instructions_of_all_lanes() {
    let function = function(&FILES, |b| {
        let (own, zero) = (thread(b), b.i32(0));
        b.store(Space::Global, zero, own);
    });
    let program = program(&function);
    let mut wave = program.wave_runner();
    let mut left = 64;
    start(&mut wave, 0);
    wave.run(&mut Both([0; 128]), &mut left).unwrap();
    assert_eq!(left, 0);
    start(&mut wave, 0);
    let refused = wave.run(&mut Both([0; 128]), &mut left).unwrap_err();
    assert_eq!(refused.code, "limit-exceeded");
    wave.set_limits(Limits { lane_steps: 1, ..Limits::default() });
    start(&mut wave, 0);
    assert_eq!(wave.run(&mut Both([0; 128]), &mut 1000).unwrap_err().code, "limit-exceeded");
    assert!(compiled(&function).is_ok());
}

/// A wave that waits at a barrier forever ends, however often it continues.
#[test]
fn the_limit_of_a_lane_counts_since_its_start() {
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    b.push(Op::Barrier, Type::NONE);
    let blocks = vec![
        block(Vec::new(), 0..0, End::Jump(edge(1, Vec::new()))),
        block(Vec::new(), 0..1, End::Jump(edge(1, Vec::new()))),
    ];
    let program = program(&in_order(Func { files: &FILES, nodes, blocks }));
    for [mut wave, _] in levels(&program) {
        for lane_steps in [1000, 2000] {
            wave.set_limits(Limits { lane_steps, ..Limits::default() });
            start(&mut wave, 0);
            let mut run = || wave.run(&mut Both([0; 128]), &mut u64::MAX.clone());
            let mut arrivals = 0;
            let refused = loop {
                match run() {
                    Ok(stop) => assert!(matches!(stop, Stop::Barrier(Arrival::Everybody { .. }))),
                    Err(refused) => break refused,
                }
                arrivals += 1;
            };
            assert_eq!(refused.code, "limit-exceeded");
            // A barrier ends a block, and counts as an instruction; so does what follows it.
            assert!((lane_steps / 3..=lane_steps).contains(&arrivals), "{arrivals} of {lane_steps}");
        }
    }
}
