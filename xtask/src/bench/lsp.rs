//! The language server on sources of 5,000 lines.

use super::timing::seconds;
use serde_json::{Value, json};
use shisa::Settings;
use shisa_lsp::Server;
use std::hint::black_box;

/// The number of lines of each source.
const LINES: usize = 5_000;

/// A source: the name of the language, the identifier and the file name that determine it, the beginning, the lines that are
/// repeated, the end, and the columns of a mnemonic and of an operand of these lines.
struct Source {
    name: &'static str,
    identifier: &'static str,
    file: &'static str,
    begin: &'static str,
    line: fn(usize) -> String,
    end: &'static str,
    columns: [usize; 2],
}

const SOURCES: [Source; 5] = [
    Source {
        name: "agal",
        identifier: "agal",
        file: "file:///a.agal",
        begin: "// agal 4 fragment\n",
        line: |n| format!("mul ft{}, v0, fc{}\n", n % 20, n % 60),
        end: "mov oc, ft0\n",
        columns: [1, 5],
    },
    Source {
        name: "agal-macros",
        identifier: "agal",
        file: "file:///a.agalm",
        begin: "// agal 4 fragment\nalias v0, uv\nmacro Half(a) {\n  out = a * fc0\n}\n",
        line: |n| format!("ft{} = mul(uv, fc{})\n", n % 20, n % 60),
        end: "oc = Half(ft0)\n",
        columns: [8, 11],
    },
    Source {
        name: "pica200",
        identifier: "pica200",
        file: "file:///a.pica",
        begin: ".fvec tint\n.out o position\n.proc main\n",
        line: |n| format!("\tmul r{}, tint, r{}\n", n % 16, n % 7),
        end: "\tend\n.end\n",
        columns: [2, 6],
    },
    Source {
        name: "maxwell",
        identifier: "maxwell",
        file: "file:///a.maxwell",
        begin: ".code \"m\"\n",
        line: |n| format!("l{n}: FADD R{}, R{}, R{} ; {{--:-:-:-:6}}\n", n % 99, n % 77, n % 55),
        end: "EXIT ; {--:-:-:-:f}\n",
        columns: [9, 13],
    },
    Source {
        name: "agx",
        identifier: "agx",
        file: "file:///a.agx",
        begin: "start:\n",
        line: |n| format!("    iadd r{}, r{}, {}\n", n % 99, n % 77, n % 55),
        end: "    stop\n",
        columns: [5, 10],
    },
];

/// A conversation about one document.
struct Client {
    server: Server,
    file: &'static str,
}

impl Client {
    fn open(source: &Source) -> Client {
        let lines = LINES - source.begin.lines().count() - source.end.lines().count();
        let text =
            format!("{}{}{}", source.begin, (0..lines).map(source.line).collect::<String>(), source.end);
        let mut client = Client { server: Server::new(Settings::new()), file: source.file };
        client.server.handle(&json!({"id": 0, "method": "initialize", "params": {}}));
        let item = json!({"uri": source.file, "languageId": source.identifier, "version": 1, "text": text});
        client.server.handle(&json!({"method": "textDocument/didOpen", "params": {"textDocument": item}}));
        client
    }

    /// Sends a request and takes its response.
    fn request(&mut self, method: &str, position: [usize; 2]) {
        let [line, character] = position;
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": self.file}, "position": position});
        let method = format!("textDocument/{method}");
        black_box(self.server.handle(&json!({"id": 1, "method": method, "params": params})));
        black_box(self.server.proceed());
    }

    /// Changes a part of a line.
    fn change(&mut self, line: usize, end: usize, text: &str) {
        let range: Value =
            json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": end}});
        let params = json!({
            "textDocument": {"uri": self.file, "version": 2}, "contentChanges": [{"range": range, "text": text}],
        });
        black_box(self.server.handle(&json!({"method": "textDocument/didChange", "params": params})));
    }

    /// A change and its first answer, both twice, because the second change undoes the first one.
    fn after_changes(&mut self, line: usize, method: &str, column: usize) {
        for (end, text, moved) in [(0, " ", 1), (1, "", 0)] {
            self.change(line, end, text);
            self.request(method, [line, column + moved]);
        }
    }

    /// All work on the document: the check, and the program with its registers and costs.
    fn work(&mut self) {
        while let Some(task) = self.server.task() {
            black_box(self.server.finish(task.run()));
        }
    }
}

/// Measures and prints the figures that are wanted.
pub(super) fn print(wanted: impl Fn(&str) -> bool) {
    for source in &SOURCES {
        let name = source.name;
        let print = |what: &str, work: &mut dyn FnMut()| {
            let name = format!("lsp/{name}/{what}");
            if wanted(&name) {
                let [time] = seconds([work]);
                println!("{name} {:.3} ms -", time * 1e3);
            }
        };
        let mut client = Client::open(source);
        client.work();
        let [mnemonic, operand] = source.columns;
        let middle = LINES / 2;
        for (what, column) in [("mnemonic", mnemonic), ("operand", operand)] {
            print(&format!("hover-{what}"), &mut || client.request("hover", [middle, column]));
            print(&format!("completion-{what}"), &mut || client.request("completion", [middle, column]));
        }
        let first = source.begin.lines().count();
        for (position, line) in
            [("top", first), ("middle", middle), ("end", LINES - source.end.lines().count() - 1)]
        {
            for method in ["hover", "completion"] {
                print(&format!("two-changes-{method}-{position}"), &mut || {
                    client.after_changes(line, method, operand);
                });
            }
        }
        print("check-and-program", &mut || {
            client.change(middle, 0, "");
            client.work();
        });
        print("semantic-tokens", &mut || client.request("semanticTokens/full", [0, 0]));
    }
}
