import { readdirSync } from "node:fs";
import { assemble, examples, File, type Isa, ShisaError } from "shisa";
import { fixture } from "./page.ts";

/** A file, and its instruction set if its content does not state it. */
export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isa?: Isa;
}

/** An empty file. */
export const NOTHING: Sample = { name: "", bytes: new Uint8Array() };

/** Folders of the repository, and the endings of the samples in them. */
const FOLDERS: readonly (readonly [string, RegExp])[] = [
  ["tests/identify", /\.(cubin|fatbin|so|dksh|sph|csdr|nvn-code|nvn-control|metal-archive)$/],
  ["tests/swf", /\.(swf|swc)$/],
  ["tests/link", /\.json$/],
  ["tests/asm", /\.(agal|agx|maxwell|pica)$/],
  ["tests/dis", /\.hex$/],
];

/** Files of every kind: containers, parts, sources, programs without a container, and text that is none. */
export function samples(): Sample[] {
  const files = FOLDERS.flatMap(([folder, ending]) =>
    readdirSync(new URL(`../../../${folder}`, import.meta.url)).filter((name) => ending.test(name)).sort()
      .map((name) => ({ name, bytes: Uint8Array.from(fixture(`${folder}/${name}`)) })));
  const sources = examples().flatMap(({ name, isa, source }) => [
    { name, bytes: new TextEncoder().encode(source) },
    { name: `${name}.bin`, bytes: assemble(source, { name, isa }).bytes, isa },
  ]);
  const all = [...files, ...sources];
  return [...all, ...all.flatMap(code)];
}

/** The first program of a file, without its container. */
function code({ name, bytes }: Sample): Sample[] {
  try {
    const program = File.open(bytes, { name }).program(1);
    return program.isa === null ? [] : [{ name: `${name}.code`, bytes: program.extract(), isa: program.isa }];
  } catch (error) {
    if (error instanceof ShisaError) return [];
    throw error;
  }
}
