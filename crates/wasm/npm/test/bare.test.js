// Code without a container, as emulators have it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { outcome, shisa } from "./package.js";

/** The assembled bytes of an example. */
function assembled(name) {
  return shisa.assemble(shisa.examples().find((example) => example.name === name).source, { name }).bytes;
}

/** The words of a range of bytes. */
function words(bytes, start = 0, count = bytes.length / 4) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Uint32Array.from({ length: count }, (_, index) => view.getUint32(start + 4 * index, true));
}

function code(call) {
  return outcome(call).error?.diagnostics[0].code;
}

test("words and bytes of code are a program", () => {
  for (const [name, isa] of [["saxpy.maxwell", "maxwell"], ["collatz.agx", "agx"]]) {
    const bytes = assembled(name);
    const [text, ...others] = [
      shisa.File.open(bytes, { isa }),
      shisa.File.fromCode({ isa, code: bytes }),
      ...(bytes.length % 4 === 0 ? [shisa.File.fromCode({ isa, code: words(bytes) })] : []),
    ].map((file) => file.program(1).listing());
    assert.deepEqual([...new Set(others)], [text], name);
  }
  const token = assembled("fog.frag.agal").slice(7);
  const program = shisa.File.fromCode({ isa: "agal", code: token, stage: "fragment" }, { version: 2 }).program(1);
  assert.match(program.listing(), /^\/\/ agal 2 fragment/);
  assert.match(program.translate("wgsl").text, /discard/);
});

test("a program of PICA200 has descriptors, a stage and an entry", () => {
  const file = assembled("flat.v.pica");
  const start = file.findIndex((_, at) => new TextDecoder().decode(file.slice(at, at + 4)) === "DVLP");
  const [, , codeAt, length, descriptorsAt, count] = words(file, start, 6);
  const object = {
    isa: "pica200",
    code: words(file, start + codeAt, length),
    descriptors: words(file, start + descriptorsAt, 2 * count).filter((_, index) => index % 2 === 0),
  };
  const texts = (program) => program.listingJson().instructions.map(({ text }) => text.split(" ")[0]);
  const program = shisa.File.fromCode(object).program(1);
  assert.deepEqual(texts(program), texts(shisa.File.open(file).program(1)));
  assert.equal(code(() => program.translate("wgsl")), undefined);
  assert.equal(shisa.File.fromCode({ ...object, stage: "geometry" }).identity.programs[0].stage, "geometry");
  // Settings of later calls open the code again.
  assert.equal(program.check().filter(({ severity }) => severity === "error").length, 0);
  const errors = (entry) => shisa.File.fromCode({ ...object, entry }).check().filter(({ severity }) => severity === "error");
  assert.deepEqual(errors(0), []);
  assert.equal(errors(4000).length, 1);
});

test("faults of code are refused", () => {
  const bytes = new Uint8Array(8);
  assert.equal(code(() => shisa.File.fromCode({ code: bytes })), "usage");
  assert.equal(code(() => shisa.File.fromCode({ isa: "z80", code: bytes })), "usage");
  assert.equal(code(() => shisa.File.fromCode({ isa: "agx" })), "usage");
  assert.equal(code(() => shisa.File.fromCode({ isa: "agx", code: [1, 2] })), "usage");
  assert.equal(code(() => shisa.File.fromCode({ isa: "agx", code: bytes, stage: "pixel" })), "usage");
  assert.equal(code(() => shisa.File.fromCode(null)), "usage");
  for (const entry of [-1, 0.5, 2 ** 32, NaN, "last"]) {
    assert.equal(code(() => shisa.File.fromCode({ isa: "pica200", code: bytes, entry })), "usage", String(entry));
  }
  assert.equal(code(() => shisa.File.fromCode({ isa: "agx", code: bytes }, { limits: { file: 4 } })), "limit-exceeded");
});
