import type { Diagnostic, Isa, RunInput } from "shisa";
import { type Engine, refer, referTo } from "../engine/engine.ts";
import { Cancelled, VerbError } from "../engine/protocol.ts";
import { later } from "./later.ts";
import { type Doc, EMPTY, type Spot, type State, type Subject } from "./state.ts";
import { Store } from "./store.ts";
import { decodeText } from "./text.ts";

/** What a document is made from. */
export interface NewDoc {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isa?: Isa;
  readonly input?: RunInput;
  readonly program?: number;
}

/** Milliseconds without an edit after which panes follow. */
const PAUSE = 120;

/** The acts that change the state. Panes read `store` and call these. */
export class Workbench {
  readonly store = new Store<State>(EMPTY);
  readonly engine: Engine;
  /** Lists the program after a pause in typing, so that the next check need not wait for a listing. */
  readonly #listSoon = later(PAUSE, () => void this.#list());
  #key = 0;

  constructor(makeEngine: (store: Store<State>) => Engine) {
    this.engine = makeEngine(this.store);
  }

  /** Opens documents and shows the first of them. */
  open(files: readonly NewDoc[]): void {
    const docs = files.map((file) => this.#doc(file));
    const first = docs[0];
    if (first === undefined) return;
    this.store.set({ docs: [...this.store.state.docs, ...docs] });
    this.show(first, files[0]?.program ?? 0);
  }

  /** Shows a document that is open. */
  show(doc: Doc, program = 0): void {
    this.store.set({
      doc, program, identity: null, subject: null, listing: null, findings: [], spot: null, input: doc.input ?? null,
      status: `opening ${doc.name}`,
    });
    void this.#check(doc);
    void this.#list();
  }

  close(doc: Doc): void {
    const docs = this.store.state.docs.filter((other) => other !== doc);
    this.store.set({ docs });
    const next = docs.at(-1);
    if (this.store.state.doc !== doc) return;
    if (next === undefined) this.store.set({ ...EMPTY, job: this.store.state.job });
    else this.show(next);
  }

  chooseProgram(program: number): void {
    const { doc } = this.store.state;
    if (doc !== null) this.show(doc, program);
  }

  /** Takes what the content of the document does not state. */
  readAs(facts: Partial<Pick<Doc, "isa" | "sm" | "control">>): void {
    const { doc, docs } = this.store.state;
    if (doc === null) return;
    const next = { ...doc, key: this.#key++, ...facts };
    this.store.set({ docs: docs.map((other) => (other === doc ? next : other)) });
    this.show(next);
  }

  /** Takes the text that the user has typed. Panes follow when it has no errors. */
  edit(text: string): void {
    const { doc, docs, listing, program } = this.store.state;
    if (doc === null || text === doc.text) return;
    const isa = doc.isa ?? listing?.isa ?? undefined;
    const base = doc.text === undefined ? { doc, program } : doc.base;
    const next: Doc = {
      key: this.#key++,
      name: doc.text === undefined ? `${doc.name}.text` : doc.name,
      bytes: new TextEncoder().encode(text),
      text,
      ...(isa === undefined ? {} : { isa }),
      ...(base === undefined ? {} : { base }),
      ...(doc.input === undefined ? {} : { input: doc.input }),
    };
    this.store.set({ doc: next, docs: docs.map((other) => (other === doc ? next : other)), program: doc.text === undefined ? 0 : program });
    void this.#check(next);
    this.#listSoon();
  }

  /** Highlights an instruction in all panes. */
  point(spot: Spot | null): void {
    const now = this.store.state.spot;
    if (now?.instruction === spot?.instruction && !spot?.reveal) return;
    this.store.set({ spot });
  }

  /** The input of runs of a program: what the user has entered, else one with an entry for all that the program reads. */
  async input(subject: Subject): Promise<RunInput> {
    const { input } = this.store.state;
    if (input !== null) return input;
    const made = await this.engine.request(this.engine.work, "inputs", referTo(subject), { docs: [subject.doc] });
    if (this.store.state.subject === subject && this.store.state.input === null) this.store.set({ input: made });
    return made;
  }

  /** Takes the input that the user has entered. */
  setInput(input: RunInput): void {
    this.store.set({ input });
  }

  /** Shows the explanation of a word. */
  explain(word: string): void {
    this.store.set({ word });
  }

  say(status: string): void {
    this.store.set({ status });
  }

  #doc({ name, bytes, isa, input }: NewDoc): Doc {
    const text = decodeText(bytes);
    return {
      key: this.#key++,
      name,
      bytes,
      ...(text === undefined ? {} : { text }),
      ...(isa === undefined ? {} : { isa }),
      ...(input === undefined ? {} : { input }),
    };
  }

  /** Finds errors and warnings of a text. Binary files are checked when their program is listed. */
  async #check(doc: Doc): Promise<void> {
    const { engine, store } = this;
    if (doc.text === undefined) return;
    const begun = performance.now();
    const source = { text: doc.text, name: doc.name, ...(doc.isa === undefined ? {} : { isa: doc.isa }) };
    await this.#answer(doc, async () => {
      const findings = await engine.request(engine.edit, "diagnose", source);
      if (store.state.doc !== doc) return;
      store.set({ findings, status: summary(findings, performance.now() - begun) });
      // Tools of browsers show the time from an edit to its findings; only the last one is stored.
      performance.clearMeasures("check");
      performance.measure("check", { start: begun });
    });
  }

  /** Makes the chosen program of the document the subject of all panes, if it has no errors of syntax. */
  async #list(): Promise<void> {
    const { engine, store } = this;
    const { doc, program } = store.state;
    if (doc === null) return;
    const begun = performance.now();
    const docs = [doc];
    await this.#answer(doc, async () => {
      const identity = await engine.request(engine.edit, "identify", refer(doc), { docs });
      if (store.state.doc !== doc) return;
      store.set({ identity });
      if (identity.programs.length === 0) {
        store.set({ status: `${doc.name} has no program` });
        return;
      }
      const subject = { doc, program };
      const listing = await engine.request(engine.edit, "listing", referTo(subject), { docs });
      if (store.state.doc !== doc) return;
      store.set({ subject, listing });
      if (doc.text !== undefined) return;
      const findings = await engine.request(engine.edit, "check", referTo(subject), { docs });
      if (store.state.doc === doc) store.set({ findings, status: summary(findings, performance.now() - begun) });
    });
  }

  /** Shows why a request about a document failed, unless its findings say so already. */
  async #answer(doc: Doc, request: () => Promise<void>): Promise<void> {
    try {
      await request();
    } catch (error) {
      const { findings, doc: current } = this.store.state;
      if (error instanceof Cancelled || current !== doc || findings.length > 0) return;
      this.store.set({
        findings: error instanceof VerbError ? error.diagnostics : [],
        status: error instanceof Error ? error.message : String(error),
      });
    }
  }
}

function summary(findings: readonly Diagnostic[], milliseconds: number): string {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const errors = count("error");
  const warnings = count("warning");
  const found = errors + warnings === 0 ? "no findings" : `${plural(errors, "error")}, ${plural(warnings, "warning")}`;
  return `${found} · checked in ${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
