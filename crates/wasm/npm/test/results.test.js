// All verbs output for each file of the repository what the native library outputs, which `cargo xtask web --test` has
// written.
import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { built, outcome, shisa } from "./package.js";

/** Programs of a file whose results are compared. */
const PROGRAMS = 3;
/** Instructions of a program whose fields are compared. */
const INSTRUCTIONS = 16;

function lines(name) {
  return createInterface({ input: createReadStream(join(built, "expected", name)) });
}

/** What a call returns or throws. */
function result(call) {
  const { value, error } = outcome(call);
  return error ? refused(error) : returned(value);
}

/** A result as `xtask/src/web/expected.rs` writes it. */
function returned(value) {
  return value instanceof Uint8Array ? { bytes: Buffer.from(value.buffer, value.byteOffset, value.length).toString("base64") } : { value };
}

function refused({ diagnostics }) {
  return { refused: diagnostics };
}

/** All results for a file. */
function results({ name, bytes, input }) {
  const found = { identify: result(() => shisa.identify(bytes, { name })) };
  const opened = outcome(() => shisa.File.open(bytes, { name }));
  if (opened.error) return { ...found, open: refused(opened.error) };
  const file = opened.value;
  found.listing = result(() => file.listing());
  found.listingJson = result(() => file.listingJson());
  found.check = result(() => file.check());
  for (let number = 1; number <= Math.min(file.length, PROGRAMS); number++) {
    const program = file.program(number);
    for (const [verb, result] of ofProgram(program)) found[`${number}.${verb}`] = result;
    program.free();
  }
  if (input !== null) {
    found.run = result(() => file.run(input, { trace: 8 }));
    found.batch = result(() => file.run(input, { engine: "batch", trace: 8 }));
  }
  file.free();
  return found;
}

function* ofProgram(program) {
  const text = outcome(() => program.listing());
  yield ["listing", result(() => program.listing())];
  yield ["hex", result(() => program.listing({ hex: true, offsets: true }))];
  yield ["live", result(() => program.listingJson({ live: true }))];
  yield ["check", result(() => program.check())];
  yield ["cfg", result(() => program.cfg())];
  yield ["dot", result(() => program.cfgDot())];
  yield ["ir", result(() => program.ir())];
  yield ["report", result(() => program.report())];
  yield ["extract", result(() => program.extract())];
  const json = outcome(() => program.listingJson());
  if (!text.error && !json.error) {
    const { instructions } = json.value;
    yield ["fields", result(() => instructions.slice(0, INSTRUCTIONS).map(({ offset }) => program.fields(offset)))];
  }
  if (!text.error && program.isa !== null) {
    const assembled = outcome(() => shisa.assemble(text.value, { isa: program.isa }));
    yield ["assemble", returned(assembled.error ? new Uint8Array() : assembled.value.bytes)];
  }
  for (const [verb, to, options] of [
    ["wgsl", "wgsl"],
    ["glsl", "glsl"],
    ["es", "glsl", { targetVersion: "310es" }],
    ["hlsl", "hlsl"],
    ["msl", "msl"],
    ["spirv", "spirv"],
    ["kernel", "wgsl", { comments: true, compute: true }],
  ]) {
    const { value, error } = outcome(() => program.translate(to, options));
    if (error) {
      yield [verb, refused(error)];
      continue;
    }
    const { bytes, ...rest } = value;
    if (bytes) yield [`${verb}.bytes`, returned(bytes)];
    yield [verb, returned(rest)];
  }
  const picture = outcome(() => program.preview({ width: 16, height: 16, maps: true }));
  if (picture.error) {
    yield ["preview", refused(picture.error)];
  } else {
    yield ["preview", returned(picture.value.rgba)];
    yield ["preview.cost", returned(picture.value.maps.cost)];
    picture.value.free();
  }
}

test("all verbs output what the native library outputs", async () => {
  let [files, count] = [0, 0];
  for await (const line of lines("results.jsonl")) {
    const expected = JSON.parse(line);
    const found = results({ ...expected, bytes: new Uint8Array(Buffer.from(expected.bytes, "base64")) });
    assert.deepEqual(found, expected.results, expected.name);
    files += 1;
    count += Object.keys(found).length;
  }
  assert.ok(files > 500, `${files} files`);
  console.log(`${files} files, ${count} results`);
});

test("all words have the native explanations", async () => {
  let count = 0;
  for await (const line of lines("words.jsonl")) {
    const expected = JSON.parse(line);
    assert.deepEqual(shisa.explain(expected.word), expected.result, expected.word);
    count += 1;
  }
  assert.equal(count, shisa.words().length);
});
