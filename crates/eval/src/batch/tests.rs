use super::*;
use crate::{NoEnvironment, NoObserver, testing::*};
use shisa_ir::{Axis, ControlOp, Mask, Swizzle, Type};

/// o0 = 2 * in0 + c0, o1 = its derivative along x, o2 along y; killed if in1 is not zero.
fn program() -> Code {
    let mut code = Code::new();
    code.op(|b| {
        let x = b.read(input(0), Swizzle::IDENTITY, Type::F32);
        let c = b.read(uniform(0), Swizzle::IDENTITY, Type::F32);
        let twice = b.fadd(x, x);
        let sum = b.fadd(twice, c);
        let (dx, dy) = (b.derivative(Axis::X, sum), b.derivative(Axis::Y, sum));
        let all = b.join(&[sum, dx, dy]);
        b.write(output(0), Mask(7), all);
        let k = b.read(input(1), Swizzle::IDENTITY, Type::F32);
        let zero = b.f32(0.0, 1);
        let kill = b.fne(k, zero);
        b.kill(kill);
    });
    code.plain(ControlOp::Exit);
    code
}

fn batch(lanes: usize, value: impl Fn(usize) -> f32) -> Batch {
    let column = |reg, f: &dyn Fn(usize) -> f32| Column {
        reg,
        units: 1,
        bits: (0..lanes).map(|l| f(l).to_bits()).collect(),
    };
    Batch {
        lanes,
        inputs: vec![column(input(0), &value), column(input(1), &|l| if l % 3 == 2 { 1.0 } else { 0.0 })],
        uniforms: vec![(uniform(0), vec![bits(100.0)])],
        outputs: vec![(output(0), 3)],
        ..Batch::default()
    }
}

fn run(batch: &Batch, limits: &Limits) -> Result<Outcome, Diagnostic> {
    let code = program();
    let program = code.program();
    batch.run(&program, &Structured, &mut NoEnvironment, &mut NoObserver, limits)
}

#[test]
fn any_number_of_lanes_runs_in_waves() {
    for lanes in [0, 1, 31, 32, 33, 100] {
        let out = run(&batch(lanes, |l| l as f32), &Limits::default()).unwrap();
        assert_eq!(out.killed, (0..lanes).map(|l| l % 3 == 2).collect::<Vec<_>>());
        assert_eq!(out.executed, 2 * lanes as u64);
        let want = |l: usize| [bits(2.0 * l as f32 + 100.0), 0, 0];
        assert!((0..lanes).all(|l| out.outputs[0].lane(l) == Some(&want(l))), "{lanes} lanes: {out:?}");
        assert_eq!(out.outputs[0].bits.len(), 3 * lanes);
    }
}

#[test]
fn registers_that_a_program_does_not_name_return_their_inputs() {
    let mut b = batch(40, |l| l as f32);
    let column = |reg| Column { reg, units: 2, bits: (0..80).collect() };
    b.inputs.extend([column(r(8)), column(output(2))]);
    b.outputs = vec![(r(7), 4), (output(1), 4)];
    let out = run(&b, &Limits::default()).unwrap();
    for lane in 0..40 {
        let n = lane as u32;
        assert_eq!(out.outputs[0].lane(lane).unwrap(), [0, 2 * n, 2 * n + 1, 0]);
        // The program writes the first two units.
        assert_eq!(out.outputs[1].lane(lane).unwrap(), [0, 0, 2 * n + 1, 0]);
    }
}

#[test]
fn grids_run_in_quads_with_helpers() {
    for (width, height) in [(1, 1), (2, 2), (3, 1), (1, 5), (5, 3), (8, 4), (17, 9)] {
        // Linear in x and y, as interpolated inputs are.
        let mut b = batch(width * height, |l| (l % width) as f32 * 3.0 + (l / width) as f32 * 5.0);
        b.grid = Some(Grid { width, height });
        let out = run(&b, &Limits::default()).unwrap();
        let quads = (width.div_ceil(2) * height.div_ceil(2)) as u64;
        assert_eq!(out.executed, quads * 4 * 2);
        for l in 0..width * height {
            // A single column has no second pixel to extrapolate from.
            let dx = if width > 1 { 6.0 } else { 0.0 };
            let dy = if height > 1 { 10.0 } else { 0.0 };
            let sum = 2.0 * ((l % width) as f32 * 3.0 + (l / width) as f32 * 5.0) + 100.0;
            let want = [sum, dx, dy].map(bits);
            assert_eq!(out.outputs[0].lane(l).unwrap(), want, "{width} by {height}, pixel {l}");
            assert_eq!(out.killed[l], l % 3 == 2);
        }
    }
}

#[test]
fn lanes_can_be_helpers_from_the_start() {
    let mut b = batch(4, |l| (l % 2) as f32 * 3.0 + (l / 2) as f32 * 5.0);
    b.grid = Some(Grid { width: 2, height: 2 });
    b.helpers = vec![false, true];
    let out = run(&b, &Limits::default()).unwrap();
    // The helper lane has the values from which its neighbour's derivative comes.
    assert_eq!(out.outputs[0].lane(0).unwrap(), [100.0, 6.0, 10.0].map(bits));
    assert_eq!(out.killed, [false, true, true, false]);
    b.helpers.clear();
    assert_eq!(run(&b, &Limits::default()).unwrap().killed, [false, false, true, false]);
}

#[test]
fn the_observer_sees_each_wave() {
    #[derive(Default)]
    struct Waves(Vec<Vec<Option<usize>>>);
    impl<T> Observer<T> for Waves {
        fn wave(&mut self, lanes: &[Option<usize>]) {
            self.0.push(lanes.to_vec());
        }
    }
    let code = program();
    let program = code.program();
    let mut b = batch(3, |_| 0.0);
    b.grid = Some(Grid { width: 3, height: 1 });
    let mut waves = Waves::default();
    b.run(&program, &Structured, &mut NoEnvironment, &mut waves, &Limits::default()).unwrap();
    assert_eq!(waves.0.len(), 1);
    assert_eq!(waves.0[0][..8], [Some(0), Some(1), None, None, Some(2), None, None, None]);
    assert_eq!(waves.0[0][8..], [None; 24]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut b = batch(6, |_| 0.0);
    b.grid = Some(Grid { width: 4, height: 2 });
    assert_eq!(run(&b, &Limits::default()).unwrap_err().code, "eval-batch");
    b.grid = Some(Grid { width: usize::MAX, height: 2 });
    assert_eq!(run(&b, &Limits::default()).unwrap_err().code, "eval-batch");
    let b = batch(6, |_| 0.0);
    // Three units of four bytes, and a flag, for each of six lanes.
    for (memory, fits) in [(78, true), (77, false)] {
        assert_eq!(run(&b, &Limits { memory, ..Limits::default() }).is_ok(), fits);
    }
    for (run_steps, fits) in [(12, true), (11, false)] {
        assert_eq!(run(&b, &Limits { run_steps, ..Limits::default() }).is_ok(), fits);
    }
    let mut b = batch(1, |_| 0.0);
    b.inputs[0].units = 99;
    b.inputs[0].bits = vec![0; 99];
    assert_eq!(run(&b, &Limits::default()).unwrap_err().code, "eval-register");
    let b = Batch { lanes: usize::MAX, ..batch(0, |_| 0.0) };
    assert_eq!(run(&b, &Limits::default()).unwrap_err().code, "limit-exceeded");
}

#[test]
fn inputs_that_lack_values_are_refused() {
    let mut b = batch(3, |l| l as f32);
    assert!(run(&b, &Limits::default()).is_ok());
    b.inputs.iter_mut().for_each(|c| c.bits.truncate(2));
    let d = run(&b, &Limits::default()).unwrap_err();
    assert_eq!((d.code, d.notes.len()), ("eval-batch", 1), "{d}");
}

#[test]
fn outputs_that_do_not_exist_are_refused() {
    for (reg, units) in
        [(output(8), 1), (output(7), 2), (Reg::new(shisa_ir::FileId(9), 0), 1), (r(u16::MAX), 2)]
    {
        let b = Batch { outputs: vec![(reg, units)], ..batch(3, |l| l as f32) };
        assert_eq!(run(&b, &Limits::default()).unwrap_err().code, "eval-register", "{reg:?} of {units}");
    }
}

/// The order in which waves have the lanes, with the inputs of helper lanes as in a run.
#[test]
fn lanes_in_quads_have_the_inputs_of_waves() {
    let grid = Grid { width: 3, height: 3 };
    // Two units, of which the first grows by 1 along x and by 10 along y.
    let bits = (0..9).flat_map(|n| [bits((n % 3 + n / 3 * 10) as f32), n]).collect();
    let inputs = vec![Column { reg: input(0), units: 2, bits }];
    let batch = Batch { lanes: 9, grid: Some(grid), inputs, ..Batch::default() };
    let found = batch.in_quads(FILES, &Limits::default()).unwrap();
    let pixels = [0, 1, 3, 4, 2, 9, 5, 9, 6, 7, 9, 9, 8, 9, 9, 9].map(|pixel| (pixel < 9).then_some(pixel));
    assert_eq!(found.pixels, pixels);
    let first: Vec<f32> = found.inputs[0].lanes().map(|units| f32::from_bits(units[0])).collect();
    let want = [0, 1, 10, 11, 2, 3, 12, 13, 20, 21, 30, 31, 22, 23, 32, 33].map(|n| n as f32);
    assert_eq!(first, want);
    // Lanes without a grid are in order, and need as much memory as they have inputs.
    let row = Batch { grid: None, ..batch.clone() };
    let limits = Limits { memory: 9 * 8, ..Limits::default() };
    let found = row.in_quads(FILES, &limits).unwrap();
    assert_eq!(found.pixels, (0..9).map(Some).collect::<Vec<_>>());
    assert_eq!(found.inputs, row.inputs);
    let codes = |batch: &Batch| batch.in_quads(FILES, &limits).map(|_| ()).map_err(|d| d.code);
    assert_eq!(codes(&batch), Err("limit-exceeded"), "helper lanes have inputs too");
    assert_eq!(codes(&Batch { lanes: 8, ..batch }), Err("eval-batch"));
    assert_eq!(codes(&Batch { lanes: 10, ..row }), Err("limit-exceeded"));
}
