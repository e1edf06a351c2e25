use shisa_diag::Limits;
use shisa_maxwell::ShaderStage;
use shisa_maxwell::container::sph::{FIELDS, Field, Kind, Maps, SPH_BYTES, Sph};

/// Numbers that a seed repeats (xorshift).
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn every_bit_belongs_to_one_field() {
    for maps in [Maps::Vtg, Maps::Pixel, Maps::Unknown] {
        let mut next = 0;
        for field in FIELDS.iter().filter(|f| f.maps.is_none_or(|m| m == maps)) {
            assert_eq!(field.bit, next, "{maps:?} {}", field.name);
            next += field.width * field.count;
        }
        assert_eq!(next, SPH_BYTES as u16 * 8, "{maps:?}");
    }
}

#[test]
fn any_header_comes_back_from_its_text() {
    let mut state = 0x9e37_79b9_7f4a_7c15;
    for round in 0..600 {
        let mut sph = Sph([0; SPH_BYTES]);
        sph.0.iter_mut().for_each(|b| *b = random(&mut state) as u8);
        sph.0[0] = sph.0[0] & !0x1f | (round % 4) as u8;
        let text = sph.text();
        assert_eq!(Sph::parse(&text, &Limits::default()), Ok(sph), "{text}");
    }
    assert_eq!(Sph([0; SPH_BYTES]).text(), ".sph SphType 0\n");
}

#[test]
fn text_says_what_the_bits_mean() {
    let text = "\
        .sph SphType PS\n.sph Version 3\n.sph ShaderType PIXEL\n.sph KillsPixels 1\n.sph SassVersion 3\n\
        .sph ShaderLocalMemoryLowSize 0x40\n.sph ImapSystemValuesB PositionX PositionW\n\
        .sph ImapGenericVector[2] constant.w perspective.xy\n.sph OmapTarget[0] xyzw\n.sph OmapDepth 1\n";
    let sph = Sph::parse(text, &Limits::default()).unwrap();
    assert_eq!(sph.text(), text);
    assert_eq!(sph.0[..4], [0x62, 0x94, 0x06, 0x00]);
    assert_eq!((sph.0[23], sph.0[26], sph.0[72], sph.0[76]), (0x90, 0x4a, 0xf, 2));
    assert_eq!(sph.stage(), Some(ShaderStage::Fragment));
    assert!(sph.sniff());
    assert_eq!((sph.get("OmapDepth"), sph.element("ImapGenericVector", 2)), (Some(1), Some(0x4a)));
    assert_eq!((sph.get("OmapViewportMask"), sph.element("OmapTarget", 8)), (None, None));
}

#[test]
fn every_value_has_a_text_of_its_kind() {
    for field in FIELDS {
        let values: Vec<u32> = match field.width {
            1..=8 => (0..1 << field.width).collect(),
            width => (0..width).map(|bit| 1 << bit).chain([0, u32::MAX >> (32 - width)]).collect(),
        };
        for value in values {
            let text = field.text(value);
            assert_eq!(field.value(&text), Some(value), "{} {text:?}", field.name);
            assert_eq!(field.value(&format!("{value:#x}")), Some(value), "{}", field.name);
        }
        assert!(!field.meaning.is_empty() && !field.values().is_empty());
    }
}

#[test]
fn faults_of_text_have_places() {
    let faults = |text: &str| -> Vec<String> {
        let found = Sph::parse(text, &Limits::default()).unwrap_err();
        found.iter().map(|d| format!("{} {}", d.code, &text[d.labels[0].span.range()])).collect()
    };
    let head = ".sph SphType VTG\n";
    let told = |line: &str| faults(&format!("{head}{line}")).concat();
    assert_eq!(told(".sph Depth 1"), "sph-field Depth");
    assert_eq!(told(".sph OmapDepth 1"), "sph-field OmapDepth");
    assert_eq!(told(".sph OmapGenericVector x"), "sph-field OmapGenericVector");
    assert_eq!(told(".sph OmapGenericVector[32] x"), "sph-field OmapGenericVector[32]");
    assert_eq!(told(".sph Version[0] 3"), "sph-field Version[0]");
    assert_eq!(told("  SphType VTG "), "sph-field SphType VTG");
    assert_eq!(told(".sph Version 32"), "sph-value 32");
    assert_eq!(told(".sph Version"), "sph-value ");
    assert_eq!(told(".sph OmapColor[1]  yx "), "sph-value yx");
    assert_eq!(told(".sph ImapSystemValuesA bit30"), "sph-value bit30");
    assert_eq!(told(".sph ShaderType +4"), "sph-value +4");
    assert_eq!(faults("\u{e9}\n.sph SphType \u{e9}"), ["sph-field \u{e9}", "sph-value \u{e9}"]);
}

#[test]
fn headers_are_checked() {
    let check = |stage: ShaderStage, change: &[(&str, u32)]| {
        let mut sph = Sph::new(stage).unwrap();
        for (name, value) in change {
            let field: &Field = sph.fields().find(|f| f.name == *name).unwrap();
            field.set(&mut sph, 0, *value);
        }
        super::told(&sph.check(0x30))
    };
    use ShaderStage::{Fragment, Geometry, TessellationControl, Vertex};
    assert_eq!(check(Vertex, &[]), [""; 0]);
    assert_eq!(check(Geometry, &[("OutputTopology", 7), ("MaxOutputVertexCount", 1024)]), [""; 0]);
    assert_eq!(check(Geometry, &[("OutputTopology", 2)]), ["sph-topology 63..64", "sph-vertices 64..66"]);
    assert_eq!(check(Vertex, &[("Version", 4)]), ["sph-version 48..50"]);
    assert_eq!(check(Vertex, &[("ShaderType", 5)]), ["sph-type 48..49"]);
    assert_eq!(check(Vertex, &[("ShaderType", 9)]), ["sph-type 49..50"]);
    assert_eq!(check(Vertex, &[("KillsPixels", 1)]), ["sph-stage 49..50"]);
    assert_eq!(check(Fragment, &[("OmapReserved", 1)]), ["sph-reserved 124..128"]);
    assert_eq!(check(Vertex, &[("ShaderLocalMemoryHighSize", 8)]), ["sph-local-memory 56..59"]);
    let patch = |again: u32| {
        let again = [("PerPatchAttributeCountLow", again & 15), ("PerPatchAttributeCountHigh", again >> 4)];
        check(TessellationControl, &[("PerPatchAttributeCount", 0x25), again[0], again[1]])
    };
    assert_eq!([patch(0), patch(0x25)], [[""; 0]; 2]);
    assert_eq!(patch(0x15), ["sph-patch-count 55..56"]);
    assert_eq!(check(Vertex, &[("StoreReqStart", 0xff)]), [""; 0]);
    assert_eq!(check(Vertex, &[("StoreReqStart", 9), ("StoreReqEnd", 8)]), ["sph-store-range 65..67"]);
    assert_eq!(super::told(&Sph([0; SPH_BYTES]).check(0))[0], "sph-type 0..1");
    assert_eq!(Sph::new(ShaderStage::Compute), None);
}

/// Names are what people write: each stands for one field of a header, and values of one field differ.
#[test]
fn names_are_unique() {
    for maps in [Maps::Vtg, Maps::Pixel, Maps::Unknown] {
        let mut names: Vec<_> =
            FIELDS.iter().filter(|f| f.maps.is_none_or(|m| m == maps)).map(|f| f.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
    for field in FIELDS {
        if let Kind::Set(names) = field.kind {
            assert!(names.len() <= usize::from(field.width), "{}", field.name);
        }
    }
}
