import type {
  Diagnostic, Example, Explanation, Field, Identity, Isa, Json, Language, PreviewOptions, Report, RunInput, RunOptions,
  TranslateOptions, Translation,
} from "shisa";
import type { Chip, Listing } from "../model/state.ts";

/** A document as the worker has it. Its bytes travel once for each worker. */
export interface DocRef {
  readonly key: number;
  readonly name: string;
  readonly isa?: Isa;
  readonly sm?: Chip;
}

/** A program of a document in a worker. */
export interface ProgramRef extends DocRef {
  readonly program: number;
}

export interface Source {
  readonly text: string;
  readonly name: string;
  readonly isa?: Isa;
}

/** What the worker does: for each verb its argument and its result. */
export interface Verbs {
  version: [null, string];
  examples: [null, Example[]];
  words: [Isa | undefined, string[]];
  explain: [{ word: string; isa?: Isa }, Explanation[]];
  /** Errors and warnings of a text. */
  diagnose: [Source, Diagnostic[]];
  identify: [DocRef, Identity];
  listing: [ProgramRef, Listing];
  /** The live registers after each instruction; an empty text where none is live. */
  live: [ProgramRef, string[]];
  /** The fields of the instruction at an offset. */
  fields: [ProgramRef & { offset: number }, Field[]];
  check: [ProgramRef, Diagnostic[]];
  graph: [ProgramRef, Graph];
  ir: [ProgramRef, string];
  report: [ProgramRef, Report];
  translate: [ProgramRef & { to: Language; options: TranslateOptions }, Translation];
  inputs: [ProgramRef, RunInput];
  run: [ProgramRef & { input: RunInput; options: RunOptions }, RunInput];
  preview: [ProgramRef & { options: PreviewOptions }, Drawn];
  /** The binary code of the program. */
  extract: [ProgramRef, Uint8Array];
  /** The file with other code for a program. */
  replace: [ProgramRef & { code: Uint8Array }, Uint8Array];
  debug: [ProgramRef & { input: RunInput }, Recorded];
  command: [string, { output: string; data: Json }];
}

/** A block of the control flow graph, with the lines that are drawn. */
export interface Block {
  /** The first and the last instructions; the offset of a line that names hidden ones is -1. */
  readonly lines: readonly { readonly text: string; readonly offset: number }[];
  /** The offsets of all instructions. */
  readonly offsets: Uint32Array;
  readonly edges: readonly { readonly to: number; readonly when: boolean | null }[];
}

export interface Graph {
  /** Whether all edges are known. */
  readonly complete: boolean;
  readonly blocks: readonly Block[];
}

/** A picture of a fragment program: red, green, blue and alpha of each pixel, row by row from the top. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  /** Maps of what pixels cost, if they were requested. */
  readonly cost: Uint8Array | null;
  readonly divergence: Uint8Array | null;
  readonly nan: Uint8Array | null;
  /** Instructions that all lanes executed together. */
  readonly executed: number;
}

/** A recorded run: the program counter of each instruction of the listing. */
export interface Recorded {
  readonly counters: readonly number[];
}

export type Verb = keyof Verbs;

/** To the worker: first the module, then requests. */
export type ToWorker =
  | { readonly kind: "module"; readonly module: WebAssembly.Module }
  | { readonly kind: "doc"; readonly key: number; readonly bytes: Uint8Array; readonly control?: Uint8Array }
  | { readonly kind: "close"; readonly key: number }
  | { readonly kind: "request"; readonly id: number; readonly verb: Verb; readonly argument: unknown };

/** From the worker. `crashed` means that the module is in an unknown state and the worker must be replaced. */
export type FromWorker =
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | {
      readonly kind: "error";
      readonly id: number;
      readonly message: string;
      readonly diagnostics: readonly Diagnostic[];
      readonly crashed: boolean;
    };

/** A verb that failed, with what the library reported. */
export class VerbError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super(message);
    this.diagnostics = diagnostics;
  }
}

/** A request that a newer one replaced, or that the user cancelled. */
export class Cancelled extends Error {}
