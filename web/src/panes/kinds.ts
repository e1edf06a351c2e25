import type { Arrangement } from "../layout/arrangement.ts";
import type { PaneKind } from "./pane.ts";

/** All panes, in the order of their tabs. */
export const KINDS: readonly PaneKind[] = [
  {
    id: "file", title: "File", hint: "What the file is, its programs and its bytes",
    load: async () => (await import("./file.ts")).filePane,
  },
  {
    id: "listing", title: "Listing", hint: "The program as text; it is assembled while you type",
    load: async () => (await import("./listing.ts")).listingPane,
  },
  {
    id: "translation", title: "Translation", hint: "The program in WGSL, GLSL, HLSL, MSL or SPIR-V",
    load: async () => (await import("./translation.ts")).translationPane,
  },
  {
    id: "graph", title: "Graph", hint: "The control flow graph",
    load: async () => (await import("./graph.ts")).graphPane,
  },
  {
    id: "findings", title: "Findings", hint: "What the rules of the instruction set find",
    load: async () => (await import("./findings.ts")).findingsPane,
  },
  {
    id: "report", title: "Report", hint: "Registers, cycles and occupancy",
    load: async () => (await import("./report.ts")).reportPane,
  },
  {
    id: "ir", title: "IR", hint: "The operations that the program becomes",
    load: async () => (await import("./ir.ts")).irPane,
  },
  {
    id: "reflection", title: "Reflection", hint: "Inputs, outputs and bindings of the translation",
    load: async () => (await import("./reflection.ts")).reflectionPane,
  },
  {
    id: "picture", title: "Picture", hint: "A fragment program over a rectangle, in software and on the GPU",
    load: async () => (await import("./picture.ts")).picturePane,
  },
  {
    id: "run", title: "Run", hint: "Run the program on inputs",
    load: async () => (await import("./run.ts")).runPane,
  },
  {
    id: "step", title: "Step", hint: "Step through a run, forwards and backwards",
    load: async () => (await import("./step.ts")).stepPane,
  },
  {
    id: "compare", title: "Compare", hint: "Two programs side by side",
    load: async () => (await import("./compare.ts")).comparePane,
  },
  {
    id: "reference", title: "Reference", hint: "Explains opcodes, modifiers, registers, error codes and concepts",
    load: async () => (await import("./reference.ts")).referencePane,
  },
];

/** The arrangement at the first visit. */
export const ARRANGEMENT: Arrangement = [
  { size: 0.22, groups: [{ panes: ["file"], shown: "file", size: 1 }] },
  {
    size: 0.42,
    groups: [
      { panes: ["listing", "compare"], shown: "listing", size: 0.68 },
      { panes: ["findings", "reference", "run", "step"], shown: "findings", size: 0.32 },
    ],
  },
  {
    size: 0.36,
    groups: [
      { panes: ["translation", "ir", "reflection"], shown: "translation", size: 0.55 },
      { panes: ["picture", "graph", "report"], shown: "graph", size: 0.45 },
    ],
  },
];
