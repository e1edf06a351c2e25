import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { assemblyLanguage, colours, shadingLanguage } from "../editor/language.ts";
import { referTo } from "../engine/engine.ts";
import type { Doc, Subject } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { choice, h } from "../ui/dom.ts";
import { table } from "../ui/table.ts";
import { follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

type View = "listing" | "ir" | "cost";

const VIEWS: readonly { readonly value: View; readonly text: string }[] = [
  { value: "listing", text: "Listing" },
  { value: "ir", text: "IR" },
  { value: "cost", text: "Cost" },
];

type Compared = { readonly left: unknown; readonly right: unknown };

/** The program beside another one: aligned listings or IR, or both costs. */
export function comparePane(bench: Workbench): Pane {
  const { engine, store } = bench;
  const content = h("div", { class: "fill scroll" });
  const others = h("span");
  let other: Subject | null = null;
  let view: View = "listing";

  function drawOthers(): void {
    const { docs, doc, identity } = store.state;
    const options = [
      { value: "", text: "choose…" },
      ...docs.flatMap((each, index) => (each === doc ? [] : [{ value: `doc ${index}`, text: each.name }])),
      ...(identity?.programs ?? []).flatMap(({ name }, index) =>
        index === store.state.program ? [] : [{ value: `program ${index}`, text: `${index + 1}: ${name}` }]),
    ];
    others.replaceChildren(choice("Compare with", options, "", take));
  }

  function take(value: string): void {
    const { docs, doc } = store.state;
    const [kind, number] = value.split(" ");
    const found: Doc | null | undefined = kind === "doc" ? docs[Number(number)] : doc;
    other = found && kind !== "" ? { doc: found, program: kind === "program" ? Number(number) : 0 } : null;
    pane.refresh();
  }

  async function part(subject: Subject, topic: string): Promise<unknown> {
    const options = { docs: [subject.doc], topic: `compare ${topic}` };
    if (view === "ir") return engine.request(engine.work, "ir", referTo(subject), options);
    if (view === "cost") return engine.request(engine.work, "report", referTo(subject), options);
    return (await engine.request(engine.work, "listing", referTo(subject), options)).text;
  }

  const pane = follow<Compared | null>({
    bench,
    content,
    tools: [
      others,
      choice("Show", VIEWS, view, (value) => {
        view = value;
        pane.refresh();
      }),
    ],
    async request(subject) {
      if (other === null) return null;
      const [left, right] = await Promise.all([part(subject, "left"), part(other, "right")]);
      return { left, right };
    },
    show(compared) {
      if (compared === null) {
        content.replaceChildren(h("p", { class: "message muted" }, "Open a second program, and choose it above."));
      } else if (view === "cost") {
        content.replaceChildren(costs(compared.left, compared.right));
      } else {
        const side = (doc: unknown) => ({
          doc: String(doc),
          extensions: [EditorState.readOnly.of(true), EditorView.editable.of(true), lineNumbers(), colours, view === "ir" ? shadingLanguage : assemblyLanguage],
        });
        const merge = new MergeView({ a: side(compared.left), b: side(compared.right), collapseUnchanged: { margin: 3, minSize: 6 }, gutter: true });
        merge.a.contentDOM.setAttribute("aria-label", "The program");
        merge.b.contentDOM.setAttribute("aria-label", "The other program");
        content.replaceChildren(merge.dom);
      }
    },
  });
  store.watch(({ docs, doc, identity, program }) => [...docs.map(({ name }) => name), doc?.name, identity, program], drawOthers);
  drawOthers();
  return pane;
}

/** The numbers of two reports, and how much the second differs. */
function costs(left: unknown, right: unknown): HTMLElement {
  const [first, second] = [numbers(left), numbers(right)];
  const names = [...new Set([...first.keys(), ...second.keys()])];
  return table(["", "this", "other", "difference"], names.map((name) => {
    const [a, b] = [first.get(name), second.get(name)];
    const difference = a === undefined || b === undefined ? "–" : b > a ? `+${b - a}` : String(b - a);
    return { cells: [name, String(a ?? "–"), String(b ?? "–"), difference] };
  }));
}

/** All numbers of a report, by the names of their members. */
function numbers(report: unknown, prefix = ""): Map<string, number> {
  const result = new Map<string, number>();
  if (typeof report !== "object" || report === null || Array.isArray(report)) return result;
  for (const [name, value] of Object.entries(report)) {
    const path = prefix === "" ? name : `${prefix} ${name}`;
    if (name === "version") continue;
    if (typeof value === "number") result.set(path, value);
    else for (const [inner, number] of numbers(value, path)) result.set(inner, number);
  }
  return result;
}
