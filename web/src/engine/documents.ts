import { File, type Program } from "shisa";
import type { DocRef, ProgramRef } from "./protocol.ts";

/** The documents of a worker. Files open at their first use; the page decides which close. */
export class Documents {
  readonly #bytes = new Map<number, Uint8Array>();
  /** The control files of NVN that belong to code files. */
  readonly #controls = new Map<number, Uint8Array>();
  readonly #files = new Map<number, { file: File; programs: Map<number, Program> }>();

  put(key: number, bytes: Uint8Array, control?: Uint8Array): void {
    this.#bytes.set(key, bytes);
    if (control !== undefined) this.#controls.set(key, control);
  }

  close(key: number): void {
    const opened = this.#files.get(key);
    if (opened !== undefined) {
      for (const program of opened.programs.values()) program.free();
      opened.file.free();
      this.#files.delete(key);
    }
    this.#bytes.delete(key);
    this.#controls.delete(key);
  }

  file(doc: DocRef): File {
    return this.#open(doc).file;
  }

  program(ref: ProgramRef): Program {
    const { file, programs } = this.#open(ref);
    let program = programs.get(ref.program);
    if (program === undefined) {
      program = file.program(ref.program + 1);
      programs.set(ref.program, program);
    }
    return program;
  }

  bytes(doc: DocRef): Uint8Array {
    const bytes = this.#bytes.get(doc.key);
    if (bytes === undefined) throw new Error(`the worker has no document ${doc.key}`);
    return bytes;
  }

  #open(doc: DocRef): { file: File; programs: Map<number, Program> } {
    let opened = this.#files.get(doc.key);
    if (opened === undefined) {
      // A source that breaks rules is a program all the same; `diagnose` reports the rules.
      const { name, isa, sm } = doc;
      const settings = { name, unchecked: true, ...(isa === undefined ? {} : { isa }), ...(sm === undefined ? {} : { sm }) };
      const control = this.#controls.get(doc.key);
      const file = control === undefined ? File.open(this.bytes(doc), settings) : File.openPair(this.bytes(doc), control, settings);
      opened = { file, programs: new Map() };
      this.#files.set(doc.key, opened);
    }
    return opened;
  }
}
