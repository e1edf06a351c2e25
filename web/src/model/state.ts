import type { Diagnostic, Identity, Isa, RunInput, Settings, Stage } from "shisa";

/** A chip of Maxwell. */
export type Chip = NonNullable<Settings["sm"]>;

/** An opened file or text. It never changes: each edit makes a new one with a new key. */
export interface Doc {
  readonly key: number;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The instruction set, where the content does not state it. */
  readonly isa?: Isa;
  /** The chip of Maxwell, where the content does not state it. */
  readonly sm?: Chip;
  /** The control file of NVN that belongs to a code file. */
  readonly control?: Uint8Array;
  /** The text, if the bytes are text. */
  readonly text?: string;
  /** The binary file whose program was edited. */
  readonly base?: { readonly doc: Doc; readonly program: number };
  /** The input of a run that belongs to an example. */
  readonly input?: RunInput;
}

/**
 * The text of a program and the location of each instruction. Arrays of numbers, because a file of 2 MB has a quarter of a million instructions.
 */
export interface Listing {
  readonly isa: Isa | null;
  readonly stage: Stage | null;
  readonly text: string;
  /** The line of each instruction in `text`, from 0; -1 if no line is known. */
  readonly lines: Int32Array;
  /** The instruction of each line, from 0; -1 if the line has none. Lines past the end have none. */
  readonly instructions: Int32Array;
  /** The first byte of each instruction in the file, or in `bytes` if the file is a text. */
  readonly offsets: Uint32Array;
  /** The size of each instruction in bytes. */
  readonly sizes: Uint8Array;
  /** The bytes that the hex view shows, if they are not those of the file. */
  readonly bytes: Uint8Array | null;
}

/** An instruction that all panes highlight. */
export interface Spot {
  /** The number of the instruction in the listing, from 0. */
  readonly instruction: number;
  /** The pane that chose it. */
  readonly from: string;
  /** Whether other panes scroll to it. */
  readonly reveal: boolean;
}

/** A program of a document. */
export interface Subject {
  readonly doc: Doc;
  readonly program: number;
}

/** A running request that the user can cancel. */
export interface Job {
  readonly lane: string;
  readonly title: string;
}

export interface State {
  readonly docs: readonly Doc[];
  /** The document in the editor. */
  readonly doc: Doc | null;
  readonly identity: Identity | null;
  /** The number of the chosen program, from 0. */
  readonly program: number;
  /** The last subject without errors, which panes show. */
  readonly subject: Subject | null;
  /** The listing of `subject`. */
  readonly listing: Listing | null;
  /** Errors and warnings of the document. */
  readonly findings: readonly Diagnostic[];
  readonly spot: Spot | null;
  readonly job: Job | null;
  /** A line for the status bar. */
  readonly status: string;
  /** The input of runs of the document, when it is known. */
  readonly input: RunInput | null;
  /** The word that the reference explains. */
  readonly word: string;
}

export const EMPTY: State = {
  docs: [],
  doc: null,
  identity: null,
  program: 0,
  subject: null,
  listing: null,
  findings: [],
  spot: null,
  job: null,
  status: "",
  input: null,
  word: "",
};
