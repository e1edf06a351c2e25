//! The language server on sources of 5,000 lines.

use super::timing::seconds;
use serde_json::{Value, json};
use shisa::Settings;
use shisa_lsp::Server;
use std::hint::black_box;

/// The number of lines of each source.
const LINES: usize = 5_000;
/// The line in the middle.
const MIDDLE: usize = LINES / 2;

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

static SOURCES: [Source; 5] = [
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
    source: &'static Source,
}

/// What a client does while it is measured.
type Act = fn(&mut Client);

/// What is measured, by name.
const FIGURES: [(&str, Act); 12] = [
    ("hover-mnemonic", |client| client.request("hover", [MIDDLE, client.source.columns[0]])),
    ("hover-operand", |client| client.request("hover", [MIDDLE, client.source.columns[1]])),
    ("completion-mnemonic", |client| client.request("completion", [MIDDLE, client.source.columns[0]])),
    ("completion-operand", |client| client.request("completion", [MIDDLE, client.source.columns[1]])),
    ("two-changes-hover-top", |client| client.after_changes(client.top(), "hover")),
    ("two-changes-hover-middle", |client| client.after_changes(MIDDLE, "hover")),
    ("two-changes-hover-end", |client| client.after_changes(client.end(), "hover")),
    ("two-changes-completion-top", |client| client.after_changes(client.top(), "completion")),
    ("two-changes-completion-middle", |client| client.after_changes(MIDDLE, "completion")),
    ("two-changes-completion-end", |client| client.after_changes(client.end(), "completion")),
    ("check-and-program", |client| {
        client.change(MIDDLE, 0, "");
        client.work();
    }),
    ("semantic-tokens", |client| client.request("semanticTokens/full", [0, 0])),
];

impl Client {
    /// A client that has opened a document, on which all work is done.
    fn open(source: &'static Source) -> Client {
        let lines = LINES - source.begin.lines().count() - source.end.lines().count();
        let text =
            format!("{}{}{}", source.begin, (0..lines).map(source.line).collect::<String>(), source.end);
        let mut client = Client { server: Server::new(Settings::new()), source };
        client.server.handle(&json!({"id": 0, "method": "initialize", "params": {}}));
        let item = json!({"uri": source.file, "languageId": source.identifier, "version": 1, "text": text});
        client.server.handle(&json!({"method": "textDocument/didOpen", "params": {"textDocument": item}}));
        client.work();
        client
    }

    /// The first of the repeated lines.
    fn top(&self) -> usize {
        self.source.begin.lines().count()
    }

    /// The last of the repeated lines.
    fn end(&self) -> usize {
        LINES - self.source.end.lines().count() - 1
    }

    /// Sends a request and takes its response.
    fn request(&mut self, method: &str, position: [usize; 2]) {
        let [line, character] = position;
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": self.source.file}, "position": position});
        let method = format!("textDocument/{method}");
        black_box(self.server.handle(&json!({"id": 1, "method": method, "params": params})));
        black_box(self.server.proceed());
    }

    /// Changes a part of a line.
    fn change(&mut self, line: usize, end: usize, text: &str) {
        let range: Value =
            json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": end}});
        let params = json!({
            "textDocument": {"uri": self.source.file, "version": 2},
            "contentChanges": [{"range": range, "text": text}],
        });
        black_box(self.server.handle(&json!({"method": "textDocument/didChange", "params": params})));
    }

    /// A change and its first answer, both twice, because the second change undoes the first one.
    fn after_changes(&mut self, line: usize, method: &str) {
        let [_, operand] = self.source.columns;
        for (end, text, moved) in [(0, " ", 1), (1, "", 0)] {
            self.change(line, end, text);
            self.request(method, [line, operand + moved]);
        }
    }

    /// All work on the document: the check, and the program with its registers and costs.
    fn work(&mut self) {
        while let Some(task) = self.server.task() {
            black_box(self.server.finish(task.run()));
        }
    }
}

/// Measures and prints the figures that are wanted. Opens only the documents that they need.
pub(super) fn print(wanted: impl Fn(&str) -> bool) {
    for source in &SOURCES {
        let named = FIGURES.map(|(what, act)| (format!("lsp/{}/{what}", source.name), act));
        let mut client = None;
        for (name, act) in named.into_iter().filter(|(name, _)| wanted(name)) {
            let client = client.get_or_insert_with(|| Client::open(source));
            let [time] = seconds([&mut || act(client)]);
            println!("{name} {:.3} ms -", time * 1e3);
        }
    }
}
