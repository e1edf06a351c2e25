//! What each feature answers, in each language.

use crate::client::{Client, URI, edited, range};
use serde_json::{Value, json};

const FOG: &str = "// agal 2 fragment\nmov ft0, v0\nifg v1.x, fc1.x\n  mul ft0, ft0, fc0\neif\nmov oc, ft0\n";
const SAXPY: &str = "// maxwell\n.chip sm_53\n.code \"main\"\n    S2R R0, SR_TID.X ; {--:-:0:-:2}\nloop:\n    FADD.FTZ R1, R0, R0 ; {01:-:-:-:6}\n    @P0 BRA loop ; {--:-:-:-:5}\n    EXIT ; {--:-:-:-:f}\n";
const STEPS: &str = "// agx\n.code \"main\"\nstep:\n    iadd r3, r3, 1\n    jmp_any step\n    stop\n";
const FLAT: &str = ".fvec projection[4], tint\n.constf half(0.5, 1.0, 0.0, 0.0)\n.in position\n.out outPosition position\n.alias scale r1.x\n.proc main\n\tmov r0, position\n\tdp4 outPosition.x, projection[0], r0\n\tmul r1, tint, r0\n\tmul r1, half.x, r1\n\tend\n.end\n";
const MACROS: &str = "// agal 1 fragment\nalias v0, uv\nalias fs0, picture\nmacro Half(a) {\n  out = a * fc0\n}\nft0 = tex<2d,linear>(uv, picture)\noc = Half(ft0)\n";

fn has(list: &[String], wanted: &[&str]) {
    for text in wanted {
        assert!(list.iter().any(|label| label == text), "{text} among {list:?}");
    }
}

fn lacks(list: &[String], others: &[&str]) {
    for text in others {
        assert!(!list.iter().any(|label| label == text), "{text} among {list:?}");
    }
}

#[test]
fn sound_sources_have_no_findings() {
    for (language, text) in [("agal", FOG), ("agx", STEPS), ("pica200", FLAT)] {
        let found = Client::of(language, text).findings();
        let errors: Vec<&Value> = found.iter().filter(|d| d["severity"] == 1).collect();
        assert!(errors.is_empty(), "{language}: {errors:?}");
    }
}

#[test]
fn findings_follow_what_is_typed() {
    let mut client = Client::of("agal", FOG);
    assert_eq!(client.findings(), Vec::<Value>::new());
    client.change(2, json!([{"range": range([1, 0, 1, 3]), "text": "mvo"}]));
    let found = client.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    let first = &found[0];
    assert_eq!((&first["code"], &first["severity"]), (&json!("asm-unknown-opcode"), &json!(1)));
    assert_eq!(first["range"], range([1, 0, 1, 3]));
    assert!(first["message"].as_str().is_some_and(|m| m.contains("did you mean mov?")), "{first}");
    let params =
        json!({"textDocument": {"uri": URI}, "range": range([1, 1, 1, 1]), "context": {"diagnostics": []}});
    let actions = client.ask("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Write mov");
    assert_eq!(
        actions[0]["edit"]["changes"][URI][0],
        json!({"range": range([1, 0, 1, 3]), "newText": "mov"})
    );
    assert!(client.hover(1, 1).contains("asm-unknown-opcode"), "{}", client.hover(1, 1));
    client.change(3, json!([{"range": range([1, 0, 1, 3]), "text": "mov"}]));
    assert_eq!(client.findings(), Vec::<Value>::new());
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(client.notes.last().map(|n| &n["params"]["diagnostics"]), Some(&json!([])));
}

/// A fault at characters 0 to 3 of line 1.
#[test]
fn fixes_are_those_of_findings_that_touch_the_range() {
    let mut client = Client::of("agal", "// agal 2 fragment\nmvo ft0, v0\nmov oc, ft0\n");
    for (wanted, count) in [
        ([0, 0, 0, 18], 0),
        ([0, 0, 1, 0], 1),
        ([0, 0, 2, 11], 1),
        ([1, 1, 1, 2], 1),
        ([1, 3, 1, 11], 1),
        ([1, 4, 1, 11], 0),
        ([2, 0, 2, 0], 0),
    ] {
        let params =
            json!({"textDocument": {"uri": URI}, "range": range(wanted), "context": {"diagnostics": []}});
        let actions = client.ask("textDocument/codeAction", params);
        assert_eq!(actions.as_array().map(Vec::len), Some(count), "{wanted:?}");
    }
}

/// The first lines state how the others are read.
#[test]
fn changes_of_the_first_lines_are_read() {
    let mut client = Client::of("plaintext", "// agal 1 fragment\nmov ft0, \n");
    lacks(&client.completions(1, 9), &["va0"]);
    client.change(2, json!([{"range": range([0, 10, 0, 18]), "text": "vertex"}]));
    has(&client.completions(1, 9), &["va0"]);
    client.change(3, json!([{"range": range([0, 0, 0, 16]), "text": "// agx"}]));
    assert!(client.hover(1, 1).contains("AGX"), "{}", client.hover(1, 1));
}

#[test]
fn labels_of_findings_are_related_information() {
    let mut client = Client::of("pica200", ".proc main\nend\n.end\n.in a\n.in a\n");
    let found = client.findings();
    let twice = found.iter().find(|d| d["code"] == "pica-duplicate-name").expect("a finding");
    assert_eq!(twice["relatedInformation"][0]["location"]["range"], range([3, 4, 3, 5]), "{twice}");
}

#[test]
fn mnemonics_are_candidates_with_documentation() {
    for (language, text, name) in
        [("agal", FOG, "crs"), ("agx", STEPS, "fadd"), ("maxwell", SAXPY, "IADD3"), ("pica200", FLAT, "dph")]
    {
        let mut client = Client::of(language, &format!("{text}\n"));
        let line = text.lines().count();
        let items = client.at("textDocument/completion", line, 0);
        let item = items["items"].as_array().unwrap().iter().find(|item| item["label"] == name);
        let item = item.unwrap_or_else(|| panic!("{language} has {name}: {items}")).clone();
        assert!(item["detail"].as_str().is_some_and(|text| !text.is_empty()), "{item}");
        let resolved = client.ask("completionItem/resolve", item);
        let text = resolved["documentation"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(name), "{resolved}");
    }
}

#[test]
fn operands_are_those_that_their_kind_reads() {
    let mut client = Client::of("agal", "// agal 2 fragment\nmov ft0, \ntex ft0, v0, \nmov ft0.");
    let sources = client.completions(1, 9);
    has(&sources, &["v0", "fc3", "ft7"]);
    lacks(&sources, &["oc", "vt0", "va0", "mov", "fs0"]);
    let targets = client.completions(1, 4);
    has(&targets, &["ft0", "oc"]);
    lacks(&targets, &["v0", "fc0"]);
    has(&client.completions(2, 13), &["fs0"]);
    has(&client.completions(3, 8), &[".x", ".xyz"]);

    let mut client =
        Client::of("maxwell", ".code \"m\"\nhere:\nFADD R1, \nFADD.\nBRA \nFADD.FTZ.R\nS2R R0, \n");
    let sources = client.completions(2, 9);
    has(&sources, &["R0", "RZ"]);
    lacks(&sources, &["P0", "SR_TID.X", "here"]);
    has(&client.completions(3, 5), &[".FTZ", ".SAT"]);
    let modes = client.completions(5, 10);
    has(&modes, &[".RM"]);
    lacks(&modes, &[".FTZ"]);
    has(&client.completions(4, 4), &["here"]);
    has(&client.completions(6, 8), &["SR_TID.X"]);

    let mut client =
        Client::of("agx", "start:\n  iadd r0, \n jmp_any \n mov r1, \n  iadd r0, u3\n  mov r1, thr\n");
    has(&client.completions(1, 11), &["r1", "r0l"]);
    // Of long lists, those that begin as the word does.
    has(&client.completions(4, 13), &["u3", "u31h"]);
    lacks(&client.completions(4, 13), &["r1", "u255"]);
    has(&client.completions(2, 9), &["start"]);
    has(&client.completions(5, 13), &["thread_in_grid_x"]);

    let mut client =
        Client::of("pica200", &FLAT.replace("mul r1, tint, r0", "mul r1, \n\tcall \n\tdp4 outPosition."));
    let sources = client.completions(8, 9);
    has(&sources, &["projection", "half", "position", "scale", "r0", "c95"]);
    lacks(&sources, &["outPosition", "main", "b0"]);
    has(&client.completions(9, 6), &["main"]);
    has(&client.completions(10, 17), &[".x", ".xyz"]);
}

#[test]
fn directives_are_candidates_where_a_statement_begins() {
    for (language, names) in [
        ("agal", [".token", ".bytes"]),
        ("maxwell", [".code", ".sph"]),
        ("agx", [".isa", ".zero"]),
        ("pica200", [".fvec", ".proc"]),
    ] {
        let mut client = Client::of(language, "// agal 1 vertex\n.");
        has(&client.completions(1, 1), &names);
        lacks(&client.completions(1, 1), &["mov", "FADD"]);
    }
    let mut client = Client::new();
    client.open("file:///a.agalm", "agal", &format!("{MACROS}\n#\n"));
    let params = json!({"textDocument": {"uri": "file:///a.agalm"}, "position": {"line": 9, "character": 1}});
    let items = client.ask("textDocument/completion", params);
    assert!(items["items"].as_array().unwrap().iter().any(|item| item["label"] == "#define"), "{items}");
}

#[test]
fn nothing_is_completed_in_comments_and_quotes() {
    let mut client = Client::of("maxwell", "// mo\n.code \"ma\"\n");
    assert_eq!(client.completions(0, 5), [""; 0]);
    assert_eq!(client.completions(1, 8), [""; 0]);
}

#[test]
fn hovers_explain_words() {
    let mut client = Client::of("agal", FOG);
    assert!(client.hover(3, 3).contains("What it does"), "before the program is assembled");
    client.findings();
    let text = client.hover(3, 3);
    for part in [
        "mul <",
        "AGAL opcode",
        "What it does",
        "Bytes: `",
        "Reads: `ft0.xyzw fc0.xyzw`",
        "Live after it: `ft0.xyzw`",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let text = client.hover(3, 6);
    for part in ["Operand 1 of `mul`", "AGAL register", "written in lines 2, 4", "read in lines 4, 6"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(client.hover(0, 4), "");

    let mut client = Client::of("maxwell", SAXPY);
    assert!(client.hover(5, 6).contains("FADD <"), "{}", client.hover(5, 6));
    assert!(
        client.hover(5, 10).contains("**.FTZ**") || client.hover(5, 10).contains("FTZ"),
        "{}",
        client.hover(5, 10)
    );
    assert!(client.hover(3, 14).contains("Maxwell special register"), "{}", client.hover(3, 14));
    assert!(client.hover(2, 2).contains("Begins a program"));
    assert!(client.hover(6, 13).contains("label, line 5, 1 use"), "{}", client.hover(6, 13));

    let mut client = Client::of("pica200", FLAT);
    assert!(client.hover(7, 2).contains("dp4 <"), "{}", client.hover(7, 2));
    assert!(client.hover(7, 22).contains("uniform, line 1, 1 use"), "{}", client.hover(7, 22));
    assert!(client.hover(5, 2).contains(".proc NAME"));

    let mut client = Client::of("agx", STEPS);
    assert!(client.hover(3, 6).contains("iadd <"), "{}", client.hover(3, 6));
}

/// Names in another spelling are other words.
#[test]
fn hovers_explain_words_as_they_are_spelled() {
    for (word, is_known) in [("SR_LEMASK", true), ("sr_lemask", false), ("SR_PM1", true), ("sr_pm1", false)] {
        let mut client = Client::of("maxwell", &format!("S2R R0, {word} ;\n"));
        let hover = client.hover(0, 9);
        assert_eq!(hover.contains("Maxwell special register"), is_known, "{word}: {hover}");
    }
}

/// A hover lists the first twelve runs of lines.
#[test]
fn hovers_shorten_long_lists_of_lines() {
    let twelve = (1..=12).map(|n| (2 * n).to_string()).collect::<Vec<_>>().join(", ");
    for (count, more) in [(12, ""), (13, ", …"), (14, ", …")] {
        let text = format!("// agal 1 fragment\n{}mov oc, ft0\n", "mov ft0, v0\nmov ft1, v0\n".repeat(count));
        let mut client = Client::of("agal", &text);
        client.findings();
        let hover = client.hover(1, 5);
        assert!(hover.contains(&format!("written in lines {twelve}{more};")), "{count}: {hover}");
    }
}

#[test]
fn signatures_name_the_operand_that_is_typed() {
    let mut client = Client::of("agal", "// agal 1 fragment\nadd ft0, v0, \n");
    // An operand is typed up to its end.
    for (character, active) in [(4, 0), (7, 0), (8, 1), (9, 1), (11, 1), (12, 2), (13, 2)] {
        let help = client.at("textDocument/signatureHelp", 1, character);
        assert_eq!(help["activeParameter"], active, "{character}: {help}");
    }
    let help = client.at("textDocument/signatureHelp", 1, 13);
    assert_eq!(help["signatures"][0]["parameters"].as_array().map(Vec::len), Some(3));
    assert_eq!(client.at("textDocument/signatureHelp", 0, 3), Value::Null);
}

#[test]
fn symbols_form_a_tree() {
    let mut client = Client::of("maxwell", SAXPY);
    let tree = client.whole("textDocument/documentSymbol");
    assert_eq!(
        (&tree[0]["name"], &tree[0]["children"][0]["name"]),
        (&json!("main"), &json!("loop")),
        "{tree}"
    );
    let mut client = Client::of("pica200", FLAT);
    let tree = client.whole("textDocument/documentSymbol");
    let names: Vec<&str> = tree.as_array().unwrap().iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["projection", "tint", "half", "position", "outPosition", "scale", "main"]);
}

#[test]
fn blocks_and_comments_fold() {
    let lines = |value: Value| -> Vec<(u64, u64)> {
        let all = value.as_array().unwrap().clone();
        all.iter().map(|f| (f["startLine"].as_u64().unwrap(), f["endLine"].as_u64().unwrap())).collect()
    };
    assert_eq!(lines(Client::of("agal", FOG).whole("textDocument/foldingRange")), [(2, 4)]);
    assert_eq!(lines(Client::of("pica200", FLAT).whole("textDocument/foldingRange")), [(5, 11)]);
    assert_eq!(lines(Client::of("maxwell", SAXPY).whole("textDocument/foldingRange")), [(2, 7)]);
    let comments = "// a\n// b\nmov oc, v0 // c\n// d\n";
    assert_eq!(lines(Client::of("agal", comments).whole("textDocument/foldingRange")), [(0, 1)]);
}

#[test]
fn hints_show_bytes_live_registers_and_cost() {
    let all = json!({"textDocument": {"uri": URI}, "range": range([0, 0, 5, 11])});
    let mut client = Client::of("agal", FOG);
    let labels = |hints: &Value| -> Vec<String> {
        hints.as_array().unwrap().iter().map(|h| h["label"].as_str().unwrap().to_owned()).collect()
    };
    let hints = labels(&client.ask("textDocument/inlayHint", all.clone()));
    has(&hints, &["live: ft0.xyzw", "4 instructions"]);
    assert!(hints.iter().any(|label| label.len() == 48), "{hints:?}");
    let off = json!({"settings": {"shisa": {"hints": {"bytes": false, "live": false, "cost": false}}}});
    client.notify("workspace/didChangeConfiguration", off);
    assert_eq!(labels(&client.ask("textDocument/inlayHint", all.clone())), [""; 0]);
    let mut client =
        Client::with(json!({"initializationOptions": {"hints": {"bytes": false, "cost": false}}}));
    client.open(URI, "agal", FOG);
    let hints = labels(&client.ask("textDocument/inlayHint", all));
    assert!(hints.iter().all(|label| label.starts_with("live: ")) && !hints.is_empty(), "{hints:?}");
}

#[test]
fn hints_are_refreshed_where_the_client_can() {
    let capabilities = json!({"capabilities": {"workspace": {"inlayHint": {"refreshSupport": true}}}});
    let mut client = Client::with(capabilities);
    client.open(URI, "agal", FOG);
    let all = json!({"textDocument": {"uri": URI}, "range": range([0, 0, 5, 11])});
    assert_eq!(client.ask("textDocument/inlayHint", all.clone()), json!([]));
    let mut methods = Vec::new();
    while let Some(task) = client.server.task() {
        let messages = client.server.finish(task.run());
        methods.extend(messages.iter().map(|m| m["method"].as_str().unwrap().to_owned()));
    }
    assert_eq!(methods, ["textDocument/publishDiagnostics", "workspace/inlayHint/refresh"]);
    assert!(client.ask("textDocument/inlayHint", all).as_array().unwrap().len() > 5);
    // What was made for an earlier text is dropped.
    client.change(2, json!([{"text": "mov"}]));
    let task = client.server.task().expect("work");
    client.change(3, json!([{"text": FOG}]));
    assert!(client.server.finish(task.run()).is_empty());
    assert_eq!(client.findings(), Vec::<Value>::new());
}

#[test]
fn semantic_tokens_are_differences_of_positions() {
    let mut client = Client::of("agal", "// agal 1 fragment\nmov oc, v0.xy // \u{1f600}\n");
    let tokens = client.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": URI}}));
    let expected = [
        [0, 0, 18, 0, 0],
        [1, 0, 3, 4, 0],
        [0, 4, 2, 6, 0],
        [0, 4, 2, 6, 0],
        [0, 2, 3, 5, 0],
        [0, 4, 5, 0, 0],
    ];
    assert_eq!(tokens["data"], json!(expected.concat()));
    let line = json!({"textDocument": {"uri": URI}, "range": range([1, 0, 1, 6])});
    let tokens = client.ask("textDocument/semanticTokens/range", line);
    assert_eq!(tokens["data"], json!([[1, 0, 3, 4, 0], [0, 4, 2, 6, 0]].concat()));
}

#[test]
fn formatting_keeps_comments_and_uses_the_columns_of_listings() {
    let text =
        ".code   \"m\"\n\n  here :\nhere:FADD   R1,R2 ,  R3 ; {--:-:-:-:f} //  a  b\nEXIT ;{--:-:-:-:f}\n";
    let mut client = Client::of("maxwell", text);
    let edits = client.ask("textDocument/formatting", json!({"textDocument": {"uri": URI}}));
    let done = edited(text, &edits);
    let line = done.lines().nth(3).unwrap();
    assert!(line.starts_with("here: FADD R1, R2, R3 ;"), "{line:?}");
    assert!(line.ends_with("//  a  b") && line.find('{') == Some(57), "{line:?}");
    assert!(done.lines().nth(4).unwrap().starts_with("    EXIT ;"), "{done}");
}

/// Lines before and after formatting.
#[test]
fn formatting_changes_blanks_only() {
    let cases = [
        // A comment stays in its column, in which tabs count.
        ("pica200", "\tmov\tr0,r1\t; c", "\tmov r0, r1      ; c"),
        ("pica200", "\tdp4 r0.x,projection[0],r1", "\tdp4 r0.x, projection[0], r1"),
        ("agal", "tex ft0,v0,fs0<2d,linear>", "tex ft0, v0, fs0<2d,linear>"),
        ("agal", "tex ft0,v0,fs0<2d,linear>,v1", "tex ft0, v0, fs0<2d,linear>, v1"),
        ("agx", "/* a  */  iadd r1,r2,r3  ", "/* a  */  iadd r1,r2,r3"),
        ("agx", "/* a\n  b */  ", "/* a\n  b */"),
        ("agx", "   ", ""),
        // Expressions stay as they are written.
        ("macros", "ft0 =  a*b  ", "ft0 =  a*b"),
    ];
    for (language, line, want) in cases {
        let mut client = Client::new();
        let (uri, language) =
            if language == "macros" { ("file:///a.agalm", "agal") } else { (URI, language) };
        client.open(uri, language, line);
        let edits = client.ask("textDocument/formatting", json!({"textDocument": {"uri": uri}}));
        assert_eq!(edited(line, &edits), want, "{language}");
    }
}

#[test]
fn utf8_positions_are_used_where_they_are_offered() {
    let mut client =
        Client::with(json!({"capabilities": {"general": {"positionEncodings": ["utf-16", "utf-8"]}}}));
    client.open(URI, "agx", "/* \u{1f600} */ iadd r1, r2, r3\n");
    assert!(client.hover(0, 12).contains("iadd"), "{}", client.hover(0, 12));
    let mut client = Client::of("agx", "/* \u{1f600} */ iadd r1, r2, r3\n");
    assert!(client.hover(0, 10).contains("iadd"), "{}", client.hover(0, 10));
}

#[test]
fn macros_are_read() {
    let mut client = Client::new();
    client.open("file:///a.agalm", "agal", MACROS);
    assert_eq!(client.findings(), Vec::<Value>::new());
    let at = |line: u64, character: u64| json!({"textDocument": {"uri": "file:///a.agalm"}, "position": {"line": line, "character": character}});
    let found = client.ask("textDocument/definition", at(7, 6));
    assert_eq!(found["range"], range([3, 6, 3, 10]));
    let found = client.ask("textDocument/definition", at(6, 21));
    assert_eq!(found["range"], range([1, 10, 1, 12]));
    let hover = client.ask("textDocument/hover", at(6, 7));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("tex")), "{hover}");
}
