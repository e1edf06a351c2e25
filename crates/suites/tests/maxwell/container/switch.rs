use super::{bundles, mutation, told};
use shisa_diag::Limits;
use shisa_maxwell::ShaderStage;
use shisa_maxwell::container::{Dksh, Edit, Nvn, NvnControl, Own, Sph};
use std::collections::BTreeMap;

fn edit(code: &[u8]) -> Edit<'_> {
    Edit { code, header: None, targets: None }
}

/// A fragment program of one bundle with constants, and a compute program of two.
pub(crate) fn dksh() -> Vec<u8> {
    let mut file = b"DKSH".to_vec();
    let numbers = |file: &mut Vec<u8>, all: &[u32]| all.iter().for_each(|n| file.extend(n.to_le_bytes()));
    numbers(&mut file, &[0x18, 0x100, 0x300, 0x18, 2]);
    numbers(&mut file, &[1, 0x30, 9, 0x100, 0x20, 0x10, 0x0100_0100, 5, 6, 7, 8, 9, 10, 0, 0, 0]);
    numbers(&mut file, &[5, 0x200, 12, 0, 0, 0x800, 32, 2, 1, 0x40, 0x10, 0, 0x200, 1, 0, 0]);
    file.resize(0x130, 0);
    file.extend(Sph::new(ShaderStage::Fragment).unwrap().0);
    file.extend(bundles(1));
    file.resize(0x200, 0);
    file.extend([0x3f; 0x20]);
    file.resize(0x300, 0);
    file.extend(bundles(2));
    file.resize(0x400, 0);
    file
}

fn read(bytes: &[u8]) -> Dksh<'_> {
    Dksh::read(bytes, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"))
}

#[test]
fn programs_of_a_dksh() {
    let bytes = dksh();
    let file = read(&bytes);
    let told: Vec<_> = file.programs.iter().map(|p| (p.stage, p.registers, p.code.clone())).collect();
    assert_eq!(told, [(ShaderStage::Fragment, 9, 0x180..0x1a0), (ShaderStage::Compute, 12, 0x300..0x340)]);
    assert_eq!(file.programs[0].header, Some(0x130..0x180));
    assert_eq!((file.programs[0].constants.clone(), file.programs[0].scratch), (0x200..0x220, 0x10));
    let own = Own::Compute {
        block: [32, 2, 1],
        shared: 0x40,
        local_low: 0x10,
        local_high: 0,
        stack: 0x200,
        barriers: 1,
    };
    assert_eq!(file.programs[1].own, own);
    assert!(matches!(file.programs[0].own, Own::Fragment { param_d8: 9, params: 10, .. }));
}

#[test]
fn code_of_a_dksh_takes_the_room_there_is() {
    let bytes = dksh();
    let file = read(&bytes);
    let write = |edits: &[(usize, Vec<u8>)]| {
        file.write(&edits.iter().map(|(n, code)| (*n, edit(code))).collect()).unwrap()
    };
    assert!(write(&[(0, bundles(1)), (1, bundles(2))]) == bytes);
    let fits = write(&[(0, bundles(4)), (1, bundles(8))]);
    assert_eq!(fits.len(), bytes.len());
    assert_eq!(read(&fits).programs[0].code, 0x180..0x200);
    let back = read(&fits).write(&BTreeMap::from([(0, edit(&bundles(1))), (1, edit(&bundles(2)))]));
    assert!(back.as_deref() == Ok(&bytes[..]));
    let more = write(&[(0, bundles(5)), (1, bundles(9))]);
    let new = read(&more);
    assert_eq!(new.section, 0x100..0x600);
    assert_eq!(new.programs[0].constants, 0x300..0x320);
    assert_eq!(&more[0x300..0x320], &[0x3f; 0x20]);
    assert_eq!(&more[new.programs[0].code.clone()], bundles(5));
    assert_eq!(&more[new.programs[1].code.clone()], bundles(9));
    let sph = Sph([7; 80]);
    let header = file
        .write(&BTreeMap::from([(0, Edit { code: &bundles(1), header: Some(sph), targets: None })]))
        .unwrap();
    assert_eq!(Sph::at(&header, 0x130), Some(sph));
}

#[test]
fn faults_of_a_dksh_have_places() {
    let fault = |bytes: &[u8]| told(&Dksh::read(bytes, &Limits::default()).unwrap_err());
    let bytes = dksh();
    assert_eq!(fault(b"DKSH"), ["dksh-cut 0..4"]);
    assert_eq!(fault(&[0; 32]), ["dksh-magic 0..4"]);
    assert_eq!(fault(&bytes[..0x3ff]), ["dksh-range 8..16"]);
    let mut bad = bytes.clone();
    (bad[0x18], bad[0x5e], bad[0x20]) = (6, 1, 0);
    assert_eq!(fault(&bad), ["dksh-stage 24..28", "dksh-range 92..96"]);
    let few = Limits { programs: 1, ..Limits::default() };
    assert_eq!(Dksh::read(&bytes, &few).unwrap_err()[0].code, "limit-exceeded");
}

#[test]
fn mutated_dksh_are_answered() {
    let limits = Limits::default();
    mutation::every(&dksh(), |bytes| {
        let file = Dksh::read(bytes, &limits)?;
        let code = bundles(9);
        let edits = (0..file.programs.len()).map(|n| (n, edit(&code))).collect();
        file.write(&edits).map_err(|d| vec![d])?;
        Ok(())
    });
}

/// A vertex program of two bundles with constants: control and code.
pub(crate) fn nvn() -> [Vec<u8>; 2] {
    let mut control = vec![0; 0x7c8];
    let fields = [
        (0, 0x9876_1234u32),
        (4, 1),
        (8, 5),
        (0x6f8, 0x90),
        (0x6fc, 0x10),
        (0x700, 0x100),
        (0x704, 0x200),
        (0x708, 0x30),
        (0x70c, 17),
        (0x714, 0),
    ];
    fields.iter().for_each(|(at, value)| control[*at..at + 4].copy_from_slice(&value.to_le_bytes()));
    let mut code = 0x1234_5678u32.to_le_bytes().to_vec();
    code.resize(0x30, 0);
    code.extend(Sph::new(ShaderStage::Vertex).unwrap().0);
    code.extend(bundles(2));
    code.resize(0x100, 0);
    code.extend([0x3f; 0x10]);
    code.resize(0x200, 0);
    [control, code]
}

#[test]
fn pairs_of_nvn() {
    let ([mut control, code], limits) = (nvn(), Limits::default());
    let told = NvnControl::read(&control, &limits).unwrap();
    assert_eq!((told.version, told.stage, told.registers), ([1, 5], ShaderStage::Vertex, 17));
    let file = Nvn::read(&code, Some(told), &limits).unwrap();
    assert_eq!((file.header.clone(), file.code.clone()), (Some(0x30..0x80), 0x80..0xc0));
    assert_eq!(file.constants, 0x100..0x110);
    assert!(file.write(&bundles(2), None, Some(&mut control)).unwrap() == code);
    assert!(control == nvn()[0]);
    let longer = file.write(&bundles(5), None, Some(&mut control)).unwrap();
    let told = NvnControl::read(&control, &limits).unwrap();
    let new = Nvn::read(&longer, Some(told), &limits).unwrap();
    assert_eq!(
        (&longer[new.code.clone()], &longer[new.constants.clone()]),
        (&bundles(5)[..], &[0x3f; 0x10][..])
    );
    assert_eq!((longer.len(), told.constant_offset), (0x300, 0x200));
    // Zeros after the code were part of the program; its new end is that of the code.
    let (mut control, full) = (nvn()[0].clone(), bundles(4));
    control[0x6f8] = 0xd0;
    let told = NvnControl::read(&control, &limits).unwrap();
    Nvn::read(&code, Some(told), &limits).unwrap().write(&full, None, Some(&mut control)).unwrap();
    assert_eq!(NvnControl::read(&control, &limits).unwrap().program_size, 0xd0);
    // Without the control file the end of the code is not known.
    let alone = Nvn::read(&code, None, &limits).unwrap();
    assert_eq!((alone.stage, alone.code), (ShaderStage::Vertex, 0x80..0x120));
}

#[test]
fn compute_code_of_nvn_has_no_header() {
    let ([mut control, mut code], limits) = (nvn(), Limits::default());
    (control[0x714], control[0x748]) = (5, 64);
    code[0x30..0x80].fill(0);
    let told = NvnControl::read(&control, &limits).unwrap();
    assert_eq!(told.block, [64, 0, 0]);
    let file = Nvn::read(&code, Some(told), &limits).unwrap();
    assert_eq!((file.stage, file.header, file.code), (ShaderStage::Compute, None, 0x80..0xc0));
    assert_eq!(Nvn::read(&code, None, &limits).unwrap().stage, ShaderStage::Compute);
}

#[test]
fn faults_of_nvn_have_places() {
    let ([mut control, code], limits) = (nvn(), Limits::default());
    let fault = |bytes: &[u8]| super::told(&NvnControl::read(bytes, &limits).unwrap_err());
    assert_eq!(fault(&control[..0x700]), ["nvn-cut 0..1792"]);
    assert_eq!(fault(&code), ["nvn-magic 0..4"]);
    let read = |control: &[u8]| NvnControl::read(control, &limits).unwrap();
    control[0x6fa] = 1;
    let far = read(&control);
    assert_eq!(Nvn::read(&code, Some(far), &limits).unwrap_err()[0].code, "nvn-range");
    control[0x714] = 9;
    assert_eq!(fault(&control), ["nvn-stage 1812..1816"]);
    assert_eq!(told(&Nvn::read(&control, None, &limits).unwrap_err()), ["nvn-magic 0..4"]);
}

#[test]
fn mutated_pairs_are_answered() {
    let ([control, code], limits) = (nvn(), Limits::default());
    let told = NvnControl::read(&control, &limits).unwrap();
    let code_holds = |bytes: &[u8]| -> Result<(), Vec<_>> {
        let file = Nvn::read(bytes, Some(told), &limits)?;
        let written = file.write(&bundles(7), Some(Sph([0; 80])), Some(&mut control.clone()));
        assert!(written.map_err(|d| vec![d])?.len() >= bytes.len());
        Ok(())
    };
    mutation::every(&code, code_holds);
    mutation::every(&control, |bytes| {
        let told = NvnControl::read(bytes, &limits)?;
        Nvn::read(&code, Some(told), &limits).map(|f| drop(f.write(&bundles(7), None, None).unwrap())).ok();
        Ok(())
    });
}
