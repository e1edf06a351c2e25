//! Barriers between the waves of a workgroup.

use crate::assembled::assemble;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Dispatch, NoObserver, Program, Waves, Workspace};
use shisa_ir::{Addresses, Reg};
use shisa_maxwell::{FILES, REGISTERS, Sequencer, interface, lift};
use shisa_rows::testing::Random;
use shisa_translate::{Form, Options, Target, testing::translated};

/// What the threads of one workgroup store at four times their number. R0 holds the thread's number, R1 that address,
/// R2 the wave, R3 what `given` returns for the thread.
fn stored(lines: &[&str], threads: u32, given: impl Fn(u32) -> u32) -> Result<Vec<u32>, Diagnostic> {
    let limits = Limits::default();
    let lifted = lift(&assemble(lines)).unwrap();
    let program = Program::new(&lifted, &limits).unwrap();
    let mut space = Workspace::new(4096, 0, 0, &limits).unwrap();
    space.add(0, vec![0; 4 * threads as usize]).unwrap();
    let dispatch = Dispatch { entry: 8, threads: [threads, 1, 1], workgroup: [threads, 1, 1] };
    let mut waves = Waves::new(&program, &Sequencer);
    dispatch.run(&mut waves, &mut space, &mut NoObserver, &limits, |machine, wave| {
        for lane in 0..32 {
            let thread = 32 * wave.number + lane;
            for (n, value) in [thread, 4 * thread, wave.number, given(thread)].into_iter().enumerate() {
                machine.set_input(Reg::new(REGISTERS, n as u16), lane as usize, value)?;
            }
        }
        Ok(())
    })?;
    let words = space.buffer(0).unwrap().chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap()));
    Ok(words.collect())
}

/// Reductions over the threads of full and partial waves, by predicates of which each decides something.
#[test]
fn reductions_combine_the_votes_of_all_threads() {
    let lines = |reduction: &str| -> [String; 6] {
        [
            "ISETP.NE.AND P0, PT, R3, RZ, PT".into(),
            format!("BAR.{reduction}, P0"),
            "B2R.RESULT R4, P1".into(),
            "@P1 IADD32I R4, R4, 0x10000".into(),
            "STG [R1], R4".into(),
            "EXIT".into(),
        ]
    };
    let mut random = Random(7);
    for threads in [1u32, 31, 32, 33, 64, 90, 128] {
        for kind in 0..4 {
            let votes: Vec<bool> = (0..threads)
                .map(|_| match kind {
                    0 => random.bits() & 1 != 0,
                    1 => random.bits().is_multiple_of(40),
                    2 => !random.bits().is_multiple_of(40),
                    _ => true,
                })
                .collect();
            let count = |until: usize| votes[..until].iter().filter(|v| **v).count() as u32;
            let all = count(threads as usize);
            let with_truth = |n: u32| n + if n != 0 { 0x10000 } else { 0 };
            let padded = threads.next_multiple_of(32);
            for (reduction, expected) in [
                ("RED.POPC 0x3", Box::new(|_| all) as Box<dyn Fn(u32) -> u32>),
                ("RED.AND 0xf", Box::new(|_| u32::from(all == threads))),
                ("RED.OR 0x0", Box::new(|_| u32::from(all != 0))),
                (&format!("SCAN 0x2, {padded:#x}"), Box::new(|thread| count(thread as usize))),
                (&format!("RED.POPC 0x2, {padded:#x}"), Box::new(|_| all)),
            ] {
                let lines = lines(reduction);
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                let got =
                    stored(&lines, threads, |thread| votes.get(thread as usize).is_some_and(|v| *v).into());
                let want: Vec<u32> = (0..threads).map(|thread| with_truth(expected(thread))).collect();
                assert_eq!(got.unwrap(), want, "{reduction} of {votes:?}");
            }
        }
    }
}

/// A reduction after another one, with other votes, has a result of its own.
#[test]
fn each_reduction_has_its_own_result() {
    let lines = [
        "ISETP.EQ.AND P0, PT, R2, 0x1, PT",
        "BAR.RED.POPC 0x1, P0",
        "B2R.RESULT R4",
        "BAR.RED.POPC 0x1, !P0",
        "B2R.RESULT R5",
        "IMUL32I.U32.U32 R5, R5, 0x100",
        "IADD R4, R4, R5",
        "STG [R1], R4",
        "EXIT",
    ];
    assert_eq!(stored(&lines, 96, |_| 0).unwrap(), vec![0x4020; 96]);
}

/// Waves 1 and 2 produce and do not wait; wave 0 waits for both, at a barrier in a register.
#[test]
fn producers_arrive_without_waiting() {
    let program = |arrive: &'static str, wait: &'static str| {
        [
            "ISETP.EQ.AND P0, PT, R2, RZ, PT",
            "@P0 BRA {consumer}",
            "MOV R4, R0",
            "STG [R1], R4",
            arrive,
            "EXIT",
            "consumer:",
            wait,
            "LDG R4, [R1+0x80]",
            "LDG R5, [R1+0x100]",
            "IADD R4, R4, R5",
            "STG [R1], R4",
            "EXIT",
        ]
    };
    let want: Vec<u32> = (0..96).map(|t| if t < 32 { 2 * t + 96 } else { t }).collect();
    let packed = 5 | 96 << 16;
    for (arrive, wait, given) in [
        ("BAR.ARV 0x5, 0x60", "BAR.SYNC 0x5, 0x60", 0),
        ("BAR.ARV R3, R3", "BAR.SYNC R3, R3", packed),
        ("BAR.ARV 0x5, 0x60", "BAR.SYNC R3, R3", packed),
        ("BAR.ARV R3, 0x60", "BAR.SYNC R3, 0x60", 5),
        ("BAR.ARV 0x5, R3", "BAR.SYNC 0x5, R3", 96),
    ] {
        assert_eq!(stored(&program(arrive, wait), 96, |_| given).unwrap(), want, "{arrive}; {wait}");
    }
}

/// Waves that have ended are not waited for, whether they end before or after the others arrive.
#[test]
fn waves_that_end_are_not_waited_for() {
    for ended in 0..3 {
        let first = format!("ISETP.EQ.AND P0, PT, R2, {ended:#x}, PT");
        let lines = [
            first.as_str(),
            "@P0 EXIT",
            "MOV32I R4, 0x7",
            "STG [R1], R4",
            "BAR.SYNC 0x4",
            "LDG R5, [R3]",
            "IADD R4, R4, R5",
            "STG [R1], R4",
            "EXIT",
        ];
        // Each thread reads what a thread of the other remaining wave stored before the barrier, or after it.
        let other = |thread: u32| {
            let wave = (6 - ended - thread / 32 % 3) % 3;
            4 * (32 * wave + thread % 32)
        };
        let got = stored(&lines, 96, other).unwrap();
        for (thread, value) in (0..).zip(got) {
            let runs = thread / 32 != ended;
            assert!(if runs { value == 14 || value == 21 } else { value == 0 }, "{thread}: {value}");
        }
    }
}

/// Lanes that reach a barrier apart from each other arrive once each time.
#[test]
fn each_arrival_of_a_divergent_wave_counts() {
    let lines = [
        "ISETP.GT.AND P0, PT, R0, 0x9, PT",
        "SSY {end}",
        "@P0 BRA {other}",
        "BAR.SYNC 0x1, 0x40",
        "SYNC",
        "other:",
        "BAR.SYNC 0x1, 0x40",
        "SYNC",
        "end:",
        "EXIT",
    ];
    let fault = stored(&lines, 32, |_| 0).unwrap_err();
    assert_eq!(fault.code, "eval-barrier");
    // A second wave arrives twice, too.
    let whole = [
        "ISETP.GT.AND P0, PT, R2, RZ, PT",
        "@!P0 BRA {end}",
        "BAR.SYNC 0x1, 0x40",
        "BAR.SYNC 0x1, 0x40",
        "EXIT",
    ];
    let both: Vec<&str> = whole
        .into_iter()
        .chain(["end:"])
        .chain(lines.into_iter().map(|line| match line {
            "end:" => "last:",
            "SSY {end}" => "SSY {last}",
            line => line,
        }))
        .collect();
    stored(&both, 64, |_| 0).unwrap();
}

#[test]
fn no_lane_arrives_where_the_guard_fails() {
    let lines = ["ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 BAR.SYNC 0x1, 0x20", "@!PT BAR.SYNC 0x1", "EXIT"];
    stored(&lines, 64, |_| 0).unwrap();
}

#[test]
fn waves_that_wait_for_ever_are_named() {
    let lines = ["ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 EXIT", "BAR.SYNC 0x6, 0x80", "EXIT"];
    let fault = stored(&lines, 96, |_| 0).unwrap_err();
    assert_eq!(fault.code, "eval-barrier");
    let notes = fault.notes.join("\n");
    for text in ["barrier 6 has 64 threads, of wave 1, 2", "128 threads", "ended: wave 0"] {
        assert!(notes.contains(text), "{notes}");
    }
    // BAR.SYNCALL waits for all waves, also for those that have ended.
    let lines = ["ISETP.EQ.AND P0, PT, R2, RZ, PT", "@P0 EXIT", "BAR.SYNCALL", "EXIT"];
    assert_eq!(stored(&lines, 96, |_| 0).unwrap_err().code, "eval-barrier");
    stored(&["BAR.SYNCALL", "EXIT"], 96, |_| 0).unwrap();
}

#[test]
fn waves_that_disagree_about_a_barrier_are_refused() {
    for (line, given) in [
        ("BAR.SYNC 0x1, R3", (|wave| 64 + 32 * (wave / 32)) as fn(u32) -> u32),
        ("BAR.SYNC R3", |thread| thread % 32),
        ("BAR.SYNC 0x1, R3", |_| 40),
        ("BAR.SYNC R3", |_| 16),
        ("BAR.SYNC 0x10", |_| 0),
    ] {
        assert_eq!(stored(&[line, "EXIT"], 96, given).unwrap_err().code, "eval-barrier", "{line}");
    }
    let refused = lift(&assemble(&["BAR.RED.INVALIDBARMODE3 0x0, P0"])).unwrap_err();
    assert_eq!(refused[0].code, "lift-barrier");
}

/// The WGSL of a program with this line between two accesses to memory.
fn wgsl(line: &str) -> Result<String, Vec<Diagnostic>> {
    let lines = ["MOV R1, c[0x0][0x140]", "MOV32I R2, 0x7", "STG [R1], R2", line, "STG [R1+0x4], R2", "EXIT"];
    let program = assemble(&lines);
    let lifted = lift(&program)?;
    let interface = interface(&program, &lifted);
    let narrow =
        |func: &mut _| shisa_ir::narrow(func, FILES, Addresses::Window, shisa_ir::Natives::default());
    let options = Options { form: Form::Stage, ..Options::default() };
    let output = translated((&lifted, &Sequencer, 8), &interface, narrow, (Target::Wgsl, &options))?;
    Ok(output.code.text().unwrap().into())
}

/// A barrier for all threads is one of the target languages; one for some threads, or with a result, is none.
#[test]
fn barriers_of_all_threads_translate() {
    assert!(!wgsl("NOP").unwrap().contains("Barrier"));
    for line in ["BAR.SYNC 0x0", "BAR.SYNC 0x5", "BAR.SYNCALL"] {
        let code = wgsl(line).unwrap();
        assert!(code.contains("storageBarrier()"), "{line}: {code}");
    }
    for line in ["BAR.SYNC 0x0, 0x20", "BAR.SYNC R1", "BAR.ARV 0x0, 0x20", "BAR.RED.OR 0x0, PT"] {
        let faults = wgsl(line).unwrap_err();
        assert!(faults[0].message.contains("barrier"), "{line}: {faults:?}");
    }
}
