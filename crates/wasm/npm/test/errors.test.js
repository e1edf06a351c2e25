// Errors: their class, their diagnostics, and instances that take no more calls.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { built, outcome, shisa } from "./package.js";

function codes(call) {
  return outcome(call).error?.diagnostics.map(({ code }) => code);
}

test("an error is a ShisaError with diagnostics in the form of their schema", () => {
  const { error } = outcome(() => shisa.assemble("// agal 1 fragment\nmov ft0, v99\n", { name: "a.agal" }));
  assert.ok(error instanceof Error && error.name === "ShisaError");
  const [found] = error.diagnostics;
  assert.equal(found.file, "a.agal");
  assert.equal(found.severity, "error");
  assert.equal(found.line, 2);
  assert.deepEqual(Object.keys(found).sort(), [
    "code", "file", "help", "labels", "line", "message", "notes", "offset", "severity", "version",
  ]);
  assert.equal(error.message, `${found.code}: ${found.message}`);
  assert.ok(shisa.explain(found.code).length > 0);
});

test("faults of text are findings, not errors", () => {
  const found = shisa.diagnose("nonsense ft0\nmov ft0\n", { isa: "agal", stage: "fragment" });
  assert.ok(found.length === 2 && found.every(({ severity }) => severity === "error"));
});

test("faults of arguments name what is allowed", () => {
  const bytes = new Uint8Array(4);
  assert.deepEqual(codes(() => shisa.File.open(bytes, { nonsense: 1 })), ["usage"]);
  assert.match(outcome(() => shisa.File.open(bytes, { isa: "x86" })).error.message, /agal, pica200, maxwell, agx/);
  assert.match(outcome(() => shisa.File.open(bytes, { limits: { nonsense: 1 } })).error.message, /names are file,/);
  assert.match(outcome(() => shisa.File.open(bytes, { set: { nonsense: "1" } })).error.message, /choices are/);
  assert.deepEqual(codes(() => shisa.explain("nonsense")), ["explain-unknown"]);
  assert.deepEqual(codes(() => shisa.explain("mov", "x86")), ["usage"]);
});

test("limits are those for files of strangers, unless they are raised", () => {
  const large = new Uint8Array((4 << 20) + 1);
  assert.deepEqual(codes(() => shisa.File.open(large)), ["limit-exceeded"]);
  assert.deepEqual(codes(() => shisa.File.open(large, { limits: { file: 8 << 20 } })), ["not-recognised"]);
});

test("the types have all options that the module has", () => {
  const types = readFileSync(join(built, "npm/shisa.d.ts"), "utf8");
  const program = shisa.File.open(new TextEncoder().encode(shisa.examples()[0].source), { name: "fog.frag.agal" }).program(1);
  const { input } = shisa.examples()[0];
  const calls = {
    Settings: (options) => shisa.identify(new Uint8Array(), options),
    ListingOptions: (options) => program.listing(options),
    TranslateOptions: (options) => program.translate("wgsl", options),
    RunOptions: (options) => program.run(input, options),
    PreviewOptions: (options) => program.preview(options),
    DebugOptions: (options) => program.debug(input, options),
    LockstepOptions: (options) => program.lockstep(input, options),
  };
  for (const [name, call] of Object.entries(calls)) {
    const [, body] = types.match(new RegExp(`interface ${name} \\{([^]*?)\\n\\}`));
    const typed = [...body.matchAll(/^\s+(\w+)\?:/gm)].map(([, key]) => key).filter((key) => key !== "textures");
    const { error } = outcome(() => call({ nonsense: 1 }));
    const known = [...error.message.matchAll(/`(\w+)`/g)].map(([, key]) => key).slice(1);
    assert.deepEqual(typed.sort(), known.sort(), name);
  }
});

test("an instance that did not return from a call takes no more calls, until it is replaced", () => {
  const open = () => shisa.File.open(new TextEncoder().encode("// agal 1 fragment\nmov oc, v0\n"));
  const program = open().program(1);
  // At the end of the stack a call ends in the middle.
  const dig = () => {
    try {
      dig();
    } catch {
      program.translate("msl");
    }
  };
  assert.deepEqual(codes(dig), ["internal-panic"]);
  assert.deepEqual(codes(open), ["internal-panic"]);
  assert.ok(shisa.ShisaError);
  shisa.reset();
  assert.equal(open().length, 1);
});
