/** An instruction set. */
export type Isa = "agal" | "pica200" | "maxwell" | "agx";

/** A stage of a graphics pipeline, or a kernel. */
export type Stage =
  "vertex" | "tessellation-control" | "tessellation-evaluation" | "geometry" | "fragment" | "compute";

/** A language of translations. */
export type Language = "wgsl" | "glsl" | "hlsl" | "msl" | "spirv";

/** A value that JSON can express. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A range of a source or of bytes that a diagnostic is about. */
export interface Label {
  place: "text" | "bytes";
  /** In bytes; of text in UTF-8. */
  start: number;
  end: number;
  /** From 1; null for bytes. */
  line: number | null;
  /** From 1, in characters; null for bytes. */
  column: number | null;
  text: string;
  /** Text that may mend the fault in place of the part. */
  fix?: string;
}

/** A finding: docs/schema/diagnostic.schema.json. */
export interface Diagnostic {
  version: 1;
  /** Its stable name, which `explain` explains. */
  code: string;
  severity: "error" | "warning" | "note";
  message: string;
  /** The name of the file, with `#` and a number for one of several programs; may be empty. */
  file: string;
  offset: number | null;
  line: number | null;
  labels: Label[];
  notes: string[];
  help: string[];
}

/** How a file is opened, or a source assembled. */
export interface Settings {
  /** The name of the file, for messages. Its extension can determine language and stage of a source. */
  name?: string;
  /** The instruction set; by default the content determines it. If given, bytes of no known kind are its code. */
  isa?: Isa;
  /** The stage of a source that does not state it. */
  stage?: "vertex" | "fragment";
  /** The version of AGAL, 1 to 4, of a source that does not state it. */
  version?: number;
  /** Accepts sources that AGALMiniAssembler accepts. */
  lenient?: boolean;
  /** The language of a source; by default the extension of the name determines it. */
  syntax?: "default" | "macro" | "picasso";
  /** Assembles without applying the rules of the instruction set. */
  unchecked?: boolean;
  /** Lists pieces of programs, too: text in a SWF that is joined with other text. */
  pieces?: boolean;
  /** Fills in the control bits of Maxwell. */
  schedule?: boolean;
  /** The chip of Maxwell: of binary code if the file does not state it; of a source in place of `.chip`. */
  sm?: 50 | 52 | 53;
  /** The tool whose decoding of stores of texture and sampler states is used (AGX). */
  isaRev?: "mesa25.2" | "mesa26";
  /** Assembles exactly as picasso does, including its bugs (PICA200). */
  picassoCompatible?: boolean;
  /** Inserts no NOPs at the ends of blocks (PICA200). */
  noNop?: boolean;
  /** Rounds constants to the nearest float24 instead of truncating them (PICA200). */
  nearest?: boolean;
  /** Writes a table of labels and procedures (PICA200). */
  labels?: boolean;
  /** Writes a table with the source line of each word (PICA200). */
  lines?: boolean;
  /** Behaviour that hardware leaves open, such as `{ ifg: "gt" }`. */
  set?: Record<string, string>;
  /** Limits on input and work, by name. The defaults are those for files of strangers. */
  limits?: Record<string, number>;
}

/** Code without a container, as emulators have it. */
export interface Code {
  isa: Isa;
  /** The instructions as bytes or as words; of AGAL the tokens without the header. */
  code: Uint8Array | Uint32Array;
  /** The operand descriptors (PICA200). */
  descriptors?: Uint32Array | number[];
  /** By default that of the settings, else the most usual one. */
  stage?: Stage;
  /** The index of the instruction that runs first (PICA200); by default 0. */
  entry?: number;
}

/** How a listing is written. */
export interface ListingOptions {
  /** The syntax of the text. */
  syntax?: "default" | "adobe" | "nvdisasm" | "mesa" | "applegpu";
  /** Shows the bytes of each instruction. */
  hex?: boolean;
  /** Shows the offset of each instruction. */
  offsets?: boolean;
  /** In nvdisasm's text, omits the braces around instructions that issue together. */
  novliw?: boolean;
  /** In nvdisasm's text of a cubin, omits the targets of instructions that go to a mark or to a register. */
  ndf?: boolean;
  /** In nvdisasm's text of a cubin, omits all sections except code. */
  code?: boolean;
  /** Shows which registers are live after each instruction. */
  live?: boolean;
}

/** A program in its file. */
export interface Entry {
  name: string;
  container: string;
  chip: string | null;
  stage: Stage | null;
  offset: number;
  size: number;
  confidence: "possible" | "likely" | "certain";
}

/** What a file is: docs/schema/identify.schema.json. */
export interface Identity {
  version: 1;
  file: string;
  container: string | null;
  isa: Isa | null;
  chip: string | null;
  stage: Stage | null;
  programs: Entry[];
  /** Programs that the file uses together: the numbers of a vertex and a fragment program. */
  pairs?: [number, number][];
  confidence: "none" | "possible" | "likely" | "certain";
}

/** When an instruction of Maxwell may issue. */
export interface Control {
  wait: number[];
  read: number | null;
  write: number | null;
  yield: boolean;
  stall: number;
  reuse: number[];
}

/** An instruction of a listing. */
export interface Instruction {
  /** Its first byte in the program; of a shader binary or Maxwell, in the (decompressed) file. */
  offset: number;
  /** In hex, as the word is written. */
  bytes: string;
  /** null of bytes that are no instruction. */
  text: string | null;
  address?: number;
  control?: Control;
  descriptor?: number;
  reads: string[];
  writes: string[];
}

/** A run of bits of an instruction. */
export interface Field {
  /**
   * The lowest bit. Bit 0 is the lowest bit of the instruction's first byte; bits past its last byte are stored elsewhere, as
   * the control bits of Maxwell are.
   */
  lo: number;
  /** How many bits there are. */
  width: number;
  /** The bits in words, such as `12-18` or `descriptor 0-3`. */
  bits: string;
  /** What they hold, such as `operand 2, source: register`; fixed bits have their value. */
  what: string;
  /** Their value in hexadecimal. */
  value: string;
}

/** The listing of a program: docs/schema/listing.schema.json. */
export interface Listing {
  version: 1;
  isa: Isa;
  chip: string | null;
  stage: Stage | null;
  text: string;
  instructions: Instruction[];
}

/** The listings of a file with several programs. */
export interface FileListing {
  version: 1;
  container: string;
  programs: (Entry & { number: number; listing: Listing | null; source: string | null })[];
}

/** A control flow graph: docs/schema/cfg.schema.json. */
export interface Cfg {
  version: 1;
  isa: Isa;
  chip: string | null;
  stage: Stage | null;
  /** Whether all edges are known. */
  complete: boolean;
  /** The first is the entry. */
  blocks: {
    instructions: { offset: number; text: string }[];
    /** `to` is the number of a block, from 0; `when` is the outcome of a condition. */
    edges: { to: number; when: boolean | null }[];
  }[];
}

/** The estimated cost of a program: docs/schema/report.schema.json, of AGX docs/schema/agx-report.schema.json. */
export interface Report {
  version: 1;
  file: string;
  name: string;
  [member: string]: Json;
}

/** How a program is translated: the options of `shisa translate`. */
export interface TranslateOptions {
  /** 330, 450, 300es, 310es (GLSL), 5.1, 6.0 (HLSL), 1.3 to 1.6 (SPIR-V). */
  targetVersion?: string;
  /** Name of the program's function. */
  name?: string;
  /** Writes each instruction above the code it was translated to. */
  comments?: boolean;
  /** Writes out what languages leave open, for the same results everywhere. */
  exact?: boolean;
  /** The outputs of a PICA200 program. */
  outputs?: "meaning" | "registers";
  /** The result of 0 * infinity where the program's rule makes it 0: 0, or what the language computes. */
  products?: "exact" | "fast";
  /** The largest number of vertices that a geometry program outputs. */
  vertices?: number;
  /** Threads of a workgroup: `X,Y,Z`. */
  workgroup?: string;
  /** Bytes of shared memory of a Maxwell compute program. */
  shared?: number;
  /** Bytes of a thread's local memory of a Maxwell compute program. */
  local?: number;
  /** The input primitive of a geometry program of Maxwell. */
  primitive?: "points" | "lines" | "triangles" | "lines-adjacency" | "triangles-adjacency";
  /** How patches are divided: `DOMAIN,SPACING,OUTPUT`. */
  division?: string;
  /** Shapes of textures of Maxwell: `HANDLE=SHAPE`. */
  texture?: string[];
  /** Constant banks as read-only storage buffers. */
  storageBanks?: boolean;
  /** The tile of a workgroup of an AGX compute program: `W,H,SAMPLES,BYTES`. */
  imageblock?: string;
  /** Samples of a pixel of an AGX fragment program: `1`, `2` or `4`. */
  samples?: string;
  /** Exchanges values between lanes by operations of subgroups. */
  subgroups?: boolean;
  /** Computes 64-bit integers as pairs of 32-bit words. */
  emulateInt64?: boolean;
  /** Computes 16-bit floats with those of SPIR-V. */
  float16?: boolean;
  /** A compute kernel that runs the program over lanes in buffers. */
  compute?: boolean;
}

/** How to bind a translated program: docs/schema/reflection.schema.json. */
export interface Reflection {
  version: 1;
  target: Language;
  stage: Stage;
  form: "stage" | "compute";
  function: string;
  entry: string;
  workgroup: number[];
  inputs: Variable[];
  outputs: Variable[];
  uniforms: { name: string; registers: number; size: number; group: number; binding: number; [member: string]: Json }[];
  textures: { name: string; unit: number; dim: string; group: number; binding: number; [member: string]: Json }[];
  samplers: { name: string; unit: number; group: number; binding: number; [member: string]: Json }[];
  memory: { name: string; kind: "storage" | "uniform"; group: number; binding: number; [member: string]: Json }[];
  [member: string]: unknown;
}

/** An input or an output of a translated program. */
export interface Variable {
  name: string;
  kind: string;
  location: number | null;
  scalar: "i1" | "i8" | "i16" | "i32" | "i64" | "f16" | "f32" | "f64";
  components: number;
  used: string;
  interpolation?: "linear" | "flat";
  sampling?: "centroid" | "sample";
}

/** A translated program. */
export interface Translation {
  /** The code, unless it is SPIR-V. */
  text?: string;
  /** The code, if it is SPIR-V. */
  bytes?: Uint8Array;
  reflection: Reflection;
  /** Lines (of SPIR-V words) from `start` up to `end`, from 1, came from the instruction with this number, from 0. */
  map: { start: number; end: number; instruction: number }[];
  warnings: Diagnostic[];
}

/** The inputs of a run, and its results: docs/schema/ISA-run.schema.json. */
export interface RunInput {
  [member: string]: any;
}

/** How a program runs. */
export interface RunOptions {
  /** What an engine does not take is run by the one before it. */
  engine?: "evaluator" | "batch";
  /** How close the results of another engine than the evaluator are to those of the evaluator. */
  precision?: "exact" | "fast";
  /** Looks for races, reads of memory that nothing wrote, and divergent barriers (Maxwell). */
  findings?: boolean;
  /** Counts what instructions cost (Maxwell). */
  profile?: boolean;
  /** The largest number of instructions in the trace, which the result then has. */
  trace?: number;
}

/** What is drawn. */
export interface PreviewOptions {
  /** Pixels of a row; by default 256. */
  width?: number;
  /** Rows; by default 256. */
  height?: number;
  /** Constants and textures, as an input of a run. */
  input?: RunInput;
  /** Values of varyings at the corners, such as `{ v0: "0,0/1,0/0,1/1,1" }`; one value is for all of them. */
  varyings?: Record<string, string>;
  /** Values of constants, such as `{ fc0: "1,0,0,1", "fc1.w": "0.5" }`. */
  constants?: Record<string, string>;
  /** Images of textures. */
  textures?: Record<string, { width: number; height: number; rgba: Uint8Array | Uint8ClampedArray }>;
  /** The number of the colour that is shown. */
  target?: number;
  /** Shows the alpha that the program outputs. */
  alpha?: boolean;
  /** Also draws maps of what pixels cost. */
  maps?: boolean;
  /** Also has the colours as floats. */
  floats?: boolean;
}

/** How a mesh is drawn: the options of `shisa render`. */
export interface RenderOptions {
  /** Pixels of a row; by default 256. */
  width?: number;
  /** Rows; by default 256. */
  height?: number;
  /** Constants and textures of the vertex program, as an input of a run. */
  input?: RunInput;
  /** Constants and textures of the fragment program, as an input of a run. */
  fragmentInput?: RunInput;
  /** Values of constants, such as `{ fc0: "1,0,0,1" }`, of the programs that have them. */
  constants?: Record<string, string>;
  /** Images of textures. */
  textures?: Record<string, { width: number; height: number; rgba: Uint8Array | Uint8ClampedArray }>;
  /** What inputs of the vertex program get, such as `va2=normal`. */
  attribute?: string[];
  /** The first of the four constants that get the matrix which shows the whole mesh. */
  matrix?: string;
  /** The constants of the matrix are its columns, not its rows. */
  columns?: boolean;
  /** Samples of a pixel. */
  samples?: 1 | 4;
  /** Triangles that are not drawn, by the order of their corners. */
  cull?: "clockwise" | "counterclockwise";
  /** How colours are combined with those drawn before them. */
  blend?: "alpha" | "add";
  /** Draws what is hidden, too. */
  noDepth?: boolean;
  /** The number of the colour that is shown. */
  target?: number;
  /** Shows the alpha that the program outputs. */
  alpha?: boolean;
  /** Also draws maps of what pixels cost. */
  maps?: boolean;
  /** Also has the colours as floats. */
  floats?: boolean;
}

/** A program that is linked from parts. */
export interface LinkedProgram {
  /** Its code. */
  bytes: Uint8Array;
  /** The program as a file, in the form that `shisa link` writes. */
  program: Json;
  /** Warnings. */
  diagnostics: Diagnostic[];
}

/** A shader binary that is linked from objects. */
export interface LinkedBinary {
  bytes: Uint8Array;
  /** Warnings. */
  diagnostics: Diagnostic[];
}

/** What is compared. */
export interface LockstepOptions {
  /** All others are compared with the first; by default the evaluator and the batch engine. */
  engines?: ("evaluator" | "batch")[];
  /** How close the results of another engine than the evaluator are to those of the evaluator. */
  precision?: "exact" | "fast";
  /** Also compares the values of all instructions, where no output differs. */
  values?: boolean;
}

/** The comparison of an engine with the first one, on one run: docs/schema/lockstep.schema.json. */
export interface Comparison {
  version: 1;
  engine: string;
  reference: string;
  bounds: "bits" | "languages";
  verdict: "equal" | "refused" | "differs";
  /** The number of the run among those of the input, from 1. */
  run: number;
  /** Of equal engines: lanes and buffers whose outputs, or lanes and instructions whose values were compared. */
  lanes?: number;
  buffers?: number;
  instructions?: number;
  unchecked?: number;
  /** Of an engine that refused the program. */
  code?: string;
  message?: string;
  /** Of an engine that differs: the first output, and the first instruction whose value differs. */
  output?: Json;
  located?: Json;
}

/** What is recorded for a debugger. */
export interface DebugOptions {
  /** Which run, from 1, of an input that runs several programs. */
  run?: number;
  /** The largest size of the recording in MiB; by default 64. */
  memory?: number;
}

/** The answer to a command of a debugger. */
export interface Answer {
  /** For people; may have several lines. */
  output: string;
  /** The same for programs. */
  data: any;
}

/** The text that a debugger shows. */
export interface SessionText {
  name: string;
  /** Whether it is the source, rather than a listing. */
  isSource: boolean;
  text: string;
  /** The instructions of the program: the line, from 1, and the program counter of each. */
  lines: { line: number; counter: number }[];
}

/** An assembled source. */
export interface Assembly {
  bytes: Uint8Array;
  /** Warnings. */
  diagnostics: Diagnostic[];
  /** For each instruction its line in the source, from 1, and its offset in the file. */
  lines: { line: number; offset: number }[];
}

/** The meaning of a word: docs/schema/explain.schema.json. */
export interface Explanation {
  version: 1;
  word: string;
  kind: string;
  summary: string;
  sections: { heading: string; lines: string[] }[];
}

/** A program of the gallery. */
export interface Example {
  /** The name of its file, which states language and stage. */
  name: string;
  isa: Isa;
  /** What it shows, in a few words. */
  title: string;
  source: string;
  /** Inputs of a run. */
  input: RunInput | null;
}
