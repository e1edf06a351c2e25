//! Prepared programs: the results of `run`, without allocation.

use allocation_counter::measure;
use shisa::agal::{RunInput, prepare, run};
use shisa::eval::{NoObserver, Results, TextureSet, Values, ValuesMut};
use shisa::{File, RunOptions, Settings};

const PROGRAM: &[u8] =
    b"// agal 2 fragment\nmov ft0, v0\nife ft0.x, fc0.x\nine ft0.y, fc0.x\nmul ft0, ft0, fc1\n\
    eif\nels\nrcp ft0.x, ft0.x\neif\nsub ft1.x, ft0.x, fc0.y\nkil ft1.x\nmov oc, ft0\n";

#[test]
fn prepared_programs_run_as_others_and_allocate_nothing() {
    let settings = Settings::new();
    let file = File::open(PROGRAM, &settings).unwrap();
    let program = file.program(1).unwrap();
    let prepared = prepare(&program).unwrap();
    let mut runner = prepared.runner();
    let constants = [[0.0, -0.25, 0.0, 0.0], [2.0, 3.0, 4.0, 5.0]];
    for (n, value) in (0..).zip(constants) {
        runner.set_uniform(prepared.constant(n), &value.map(f32::to_bits)).unwrap();
    }
    // More lanes than a wave has, in a first run and in later ones.
    for (round, lanes) in [70usize, 33, 70, 1].into_iter().enumerate() {
        let value = |i: usize| ((i * 7 + round) % 5) as f32 - 2.0;
        let floats: Vec<[f32; 4]> = (0..lanes).map(|i| std::array::from_fn(|c| value(4 * i + c))).collect();
        let bits: Vec<u32> = floats.iter().flatten().map(|v| v.to_bits()).collect();
        let (mut colours, mut killed) = (vec![0; 4 * lanes], vec![false; lanes]);
        let colour = prepared.output("fo0").or_else(|_| prepared.output("oc")).unwrap().reg;
        let varying = prepared.input("v0").unwrap().reg;
        let mut textures = TextureSet::new();
        let inputs = [Values { reg: varying, units: 4, bits: &bits }];
        let results = Results {
            outputs: &mut [ValuesMut { reg: colour, units: 4, bits: &mut colours }],
            killed: &mut killed,
        };
        let mut done = Ok(());
        let counted = measure(|| {
            let limits = prepared.limits();
            done = runner.run(lanes, &inputs, results, &mut textures, &mut NoObserver, limits);
        });
        assert_eq!(done, Ok(()));
        let allocations = counted.count_total;
        // The first run makes room for nested conditions.
        assert!(round == 0 || allocations == 0, "round {round}: {allocations}");
        let mut input = RunInput::new(lanes).input("v0", &floats);
        for (n, value) in constants.into_iter().enumerate() {
            input = input.constant(&format!("fc{n}"), value);
        }
        let expected = run(&program, &input, RunOptions::new()).unwrap();
        assert_eq!(killed, expected.killed);
        let wanted: Vec<u32> = expected.outputs[0].lanes.iter().flatten().map(|c| c.unwrap_or(0)).collect();
        assert_eq!(colours, wanted);
        assert!(killed.iter().any(|k| *k) || lanes < 5);
    }
    assert_eq!(prepared.input("va0").unwrap_err().diagnostics[0].code, "run-input");
}
