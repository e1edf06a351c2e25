import * as shisa from "shisa";
import type { Instruction, RunInput, Session, Settings } from "shisa";
import { instructionsByLine, matchLines } from "../model/lines.ts";
import type { Listing } from "../model/state.ts";
import { decodeText } from "../model/text.ts";
import type { Documents } from "./documents.ts";
import { drawn } from "./graph.ts";
import { inputsFor } from "./inputs.ts";
import type { Drawn, ProgramRef, Source, Verbs } from "./protocol.ts";

/** The calls of the library for each verb. */
export const verbs: { [Verb in keyof Verbs]: (argument: Verbs[Verb][0], documents: Documents) => Verbs[Verb][1] } = {
  version: () => shisa.version(),
  examples: () => shisa.examples(),
  words: (isa) => shisa.words(isa),
  explain: ({ word, isa }) => shisa.explain(word, isa),
  diagnose: (source) => shisa.diagnose(source.text, settings(source)),
  identify: (doc, documents) => documents.file(doc).identity,
  listing,
  live,
  fields: (ref, documents) => documents.program(ref).fields(ref.offset),
  check: (ref, documents) => documents.program(ref).check(),
  graph: (ref, documents) => drawn(documents.program(ref).cfg()),
  ir: (ref, documents) => documents.program(ref).ir(),
  report: (ref, documents) => documents.program(ref).report(),
  translate: (ref, documents) => documents.program(ref).translate(ref.to, ref.options),
  inputs,
  run: (ref, documents) => documents.program(ref).run(ref.input, ref.options),
  preview,
  extract: (ref, documents) => documents.program(ref).extract(),
  replace: (ref, documents) => documents.file(ref).replace(ref.program + 1, ref.code),
  debug: (ref, documents) => {
    session?.free();
    session = undefined;
    session = documents.program(ref).debug(ref.input);
    return { counters: session.text().lines.map(({ counter }) => counter) };
  },
  command: (line) => {
    if (session === undefined) throw new Error("no run is being debugged");
    return session.command(line);
  },
};

/** The run that is being debugged; a worker has at most one. */
let session: Session | undefined;

function settings({ name, isa }: Source | ProgramRef): Settings {
  return isa === undefined ? { name } : { name, isa };
}

function listing(ref: ProgramRef, documents: Documents): Listing {
  const program = documents.program(ref);
  const { text, stage, instructions } = program.listingJson();
  const source = decodeText(documents.bytes(ref));
  const lines = source === undefined ? matchLines(text, instructions.map((each) => each.text)) : sourceLines(source, ref, instructions);
  return {
    isa: program.isa,
    stage,
    text,
    lines,
    instructions: instructionsByLine(lines),
    offsets: Uint32Array.from(instructions, (each) => each.offset),
    sizes: Uint8Array.from(instructions, (each) => each.bytes.length / 2),
    bytes: source === undefined ? null : program.extract(),
  };
}

/** The line of each instruction of a source, from 0, or -1: the assembler states them by offset. */
function sourceLines(source: string, ref: ProgramRef, instructions: readonly Instruction[]): Int32Array {
  const { lines } = shisa.assemble(source, { ...settings(ref), unchecked: true });
  const lineAt = new Map(lines.map(({ line, offset }) => [offset, line - 1]));
  return Int32Array.from(instructions, ({ offset }) => lineAt.get(offset) ?? -1);
}

function inputs(ref: ProgramRef, documents: Documents): RunInput {
  const program = documents.program(ref);
  if (program.isa === null) throw new Error("the program has no instruction set");
  return inputsFor(program.isa, program.translate("wgsl").reflection);
}

function live(ref: ProgramRef, documents: Documents): string[] {
  const program = documents.program(ref);
  const text = program.listing({ live: true });
  const lines = text.split("\n");
  return [...matchLines(text, program.listingJson().instructions.map((each) => each.text))].map(
    (line) => /live: ?(.*)$/.exec(lines[line] ?? "")?.[1]?.trim() ?? "",
  );
}

function preview(ref: Verbs["preview"][0], documents: Documents): Drawn {
  const picture = documents.program(ref).preview(ref.options);
  try {
    const { width, height, rgba, maps, executed } = picture;
    const { cost = null, divergence = null, nan = null } = maps ?? {};
    return { width, height, rgba, cost, divergence, nan, executed };
  } finally {
    picture.free();
  }
}

/** The buffers of a result that move to the page without a copy. */
export function transfers(result: unknown): Transferable[] {
  if (typeof result !== "object" || result === null) return [];
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  return Object.values(result)
    .filter((value) => ArrayBuffer.isView(value))
    .map((value) => value.buffer as ArrayBuffer);
}
