// Changed files: each is answered with a result or with diagnostics, and the module lives.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { built, outcome, shisa } from "./package.js";

const COUNT = process.env.SHISA_LONG ? 10_000 : 300;
/** The longest time of all verbs for a file, in milliseconds. */
const MOST = 20_000;

/** A generator of numbers below a bound (xorshift), the same in each run. */
function random(seed) {
  let state = seed;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** A changed copy: bytes that are other ones, or that are left out, repeated or inserted. */
function changed(bytes, below) {
  const copy = [...bytes];
  for (let n = below(4); n >= 0; n--) {
    const at = below(copy.length + 1);
    const length = 1 + below(16);
    const kinds = [
      () => (copy[at] = below(256)),
      () => (copy[at] ^= 1 << below(8)),
      () => copy.splice(at, length),
      () => copy.splice(at, 0, ...copy.slice(at, at + length)),
      () => copy.splice(at, 0, ...Array.from({ length }, () => below(256))),
      () => copy.splice(at),
    ];
    kinds[below(kinds.length)]();
  }
  return new Uint8Array(copy);
}

/** A file, or the code of its first program with the settings that open it. */
function original({ name, bytes }, below) {
  const whole = new Uint8Array(Buffer.from(bytes, "base64"));
  if (below(2)) return [whole, { name }];
  const file = shisa.File.open(whole, { name });
  const program = outcome(() => file.program(1).extract());
  const { isa } = file.identity;
  file.free();
  return program.error ? [whole, { name }] : [program.value, isa === null ? {} : { isa }];
}

/** Calls all verbs; returns how many have a result, and how many have diagnostics. */
function verbs(bytes, settings) {
  const counts = { results: 0, refusals: 0 };
  const count = (call) => {
    const { value, error } = outcome(call);
    if (error) {
      assert.ok(error.diagnostics.length > 0);
      assert.ok(error.diagnostics.every(({ code }) => !code.startsWith("internal-")), error.message);
    }
    counts[error ? "refusals" : "results"] += 1;
    return value;
  };
  count(() => shisa.identify(bytes, settings));
  const file = count(() => shisa.File.open(bytes, settings));
  if (!file) return counts;
  count(() => file.check());
  count(() => file.listing());
  const program = count(() => file.program(1));
  if (program) {
    for (const verb of ["listingJson", "cfg", "ir", "report", "extract"]) count(() => program[verb]());
    for (const to of ["wgsl", "glsl", "hlsl", "msl", "spirv"]) count(() => program.translate(to));
    count(() => program.preview({ width: 4, height: 4 }))?.free();
    count(() => program.run("{}"));
    program.free();
  }
  file.free();
  return counts;
}

test("changed files are answered", () => {
  const all = readFileSync(join(built, "expected/files.jsonl"), "utf8").trim().split("\n");
  const files = all.map((line) => JSON.parse(line)).filter(({ bytes, opens }) => bytes.length < 40_000 && opens);
  const below = random(0x5eed);
  const counts = { opened: 0, results: 0, refusals: 0 };
  let slowest = [0, ""];
  for (let n = 0; n < COUNT; n++) {
    const file = files[below(files.length)];
    const [bytes, settings] = original(file, below);
    const copy = changed(bytes, below);
    const start = performance.now();
    const { results, refusals } = verbs(copy, settings);
    const time = performance.now() - start;
    if (time > slowest[0]) slowest = [time, file.name];
    counts.opened += results + refusals > 2 ? 1 : 0;
    counts.results += results;
    counts.refusals += refusals;
  }
  console.log(`${COUNT} changed files, of which ${counts.opened} open: ${counts.results} results, ${counts.refusals} refusals;`
    + ` the slowest took ${slowest[0].toFixed()} ms (${slowest[1]})`);
  assert.ok(counts.opened > COUNT / 10, "enough of the files open");
  assert.ok(slowest[0] < MOST, slowest[1]);
});
