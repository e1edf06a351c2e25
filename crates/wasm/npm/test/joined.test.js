// Verbs of several files: links, meshes, and the pair of files that NVN takes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { outcome, shisa } from "./package.js";

const ROOT = join(import.meta.dirname, "../../../..");

/** The bytes of a file of the repository. */
function bytes(path) {
  return new Uint8Array(readFileSync(join(ROOT, path)));
}

function program(path, settings = {}) {
  return shisa.File.open(bytes(path), { name: path, ...settings }).program(1);
}

function code(call) {
  return outcome(call).error?.diagnostics[0].code;
}

test("parts are joined to a program", () => {
  const [main, prolog] = ["main", "prolog"].map((name) => bytes(`tests/link/${name}.json`));
  const linked = shisa.linkParts(main, prolog);
  assert.deepEqual(linked.diagnostics, []);
  assert.equal(linked.program.meta.kind, "linked");
  assert.equal(linked.program.code, Buffer.from(linked.bytes).toString("hex"));
  const file = shisa.File.open(new TextEncoder().encode(JSON.stringify(linked.program)));
  assert.equal(file.identity.container, "agx-linked");
  assert.deepEqual(file.program(1).extract(), linked.bytes);
  assert.equal(code(() => shisa.linkParts(main)), "agx-link-attribute");
  assert.equal(code(() => shisa.linkParts(bytes("tests/link/three.json"), undefined, undefined, 3)), "agx-link-samples");
  assert.equal(code(() => shisa.linkParts(new Uint8Array(4))), "agx-part");
});

test("objects are linked to a shader binary", () => {
  assert.equal(code(() => shisa.linkObjects([new Uint8Array(8)])), "shbin-magic");
  assert.equal(code(() => shisa.linkObjects(null)), "usage");
  assert.deepEqual(shisa.linkObjects([]).diagnostics, []);
});

test("a code file of NVN opens with its control file", () => {
  const [codeFile, control] = ["code", "control"].map((name) => bytes(`tests/identify/shader.nvn-${name}`));
  const alone = shisa.File.open(codeFile);
  const pair = shisa.File.openPair(codeFile, control);
  assert.notDeepEqual(pair.program(1).extract(), alone.program(1).extract());
  assert.equal(pair.program(1).translate("wgsl").reflection.target, "wgsl");
  assert.equal(code(() => shisa.File.openPair(codeFile, codeFile)), "nvn-magic");
});

test("the chip of Maxwell and the revision of AGX are settings", () => {
  const source = bytes("examples/saxpy.maxwell");
  const chips = [50, 52, 53].map((sm) => shisa.File.open(source, { name: "saxpy.maxwell", sm }).program(1).listingJson().chip);
  assert.deepEqual(chips, ["sm_50", "sm_52", "sm_53"]);
  assert.equal(code(() => shisa.File.open(source, { sm: 60 })), "usage");
  assert.equal(code(() => shisa.File.open(source, { isaRev: "mesa1" })), "usage");
  const figure = new TextDecoder().decode(bytes("examples/figure.v.pica"));
  const sizes = [{}, { labels: true, lines: true }].map((more) => shisa.assemble(figure, { name: "figure.v.pica", ...more }).bytes.length);
  assert.ok(sizes[0] < sizes[1]);
});

test("a mesh is drawn with a vertex program, and with a fragment program", () => {
  const mesh = bytes("examples/cube.obj");
  const vertex = program("examples/lit.vert.agal");
  const plain = vertex.render(mesh, { width: 16, height: 12, maps: true, floats: true });
  assert.deepEqual([plain.width, plain.height, plain.rgba.length, plain.floats.length], [16, 12, 768, 768]);
  assert.deepEqual(Object.keys(plain.maps), ["cost", "divergence", "nan"]);
  // What `tests/render/render.test` has for the second pixel of the second row.
  const small = vertex.render(mesh, { width: 5, height: 4, floats: true });
  assert.equal(new Uint32Array(small.floats.buffer, small.floats.byteOffset)[24], 0x3f5bbb8a);
  const lit = vertex.renderWith(program("examples/lit.frag.agal"), mesh, { width: 16, height: 12, constants: { fc0: "0,0,1" } });
  assert.notDeepEqual(lit.rgba, plain.rgba);
  assert.equal(lit.notes[0].code, "picture-default");
  const culled = vertex.render(mesh, { width: 16, height: 12, cull: "clockwise", noDepth: true, attribute: ["va1=normal"] });
  assert.equal(culled.rgba.length, 768);
  for (const [call, expected] of [
    [() => vertex.renderWith(program("examples/glow.agx"), mesh), "usage"],
    [() => vertex.render(bytes("README.md")), "mesh-empty"],
    [() => vertex.render(mesh, { attribute: ["va1=size"] }), "usage"],
    [() => vertex.render(mesh, { cull: "up" }), "usage"],
    [() => vertex.render(mesh, { constants: { fc9: "1" } }), "picture-input"],
    [() => program("examples/lit.frag.agal").render(mesh), "picture-stage"],
  ]) assert.equal(code(call), expected, String(call));
});
