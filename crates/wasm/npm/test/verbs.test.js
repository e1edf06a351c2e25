// Each function of the package, on programs of the gallery.
import assert from "node:assert/strict";
import { test } from "node:test";
import { outcome, shisa } from "./package.js";

const examples = shisa.examples();

function source(name) {
  const found = examples.find((example) => example.name === name);
  assert.ok(found, name);
  return found;
}

/** An example, opened as its source. */
function opened(name) {
  return shisa.File.open(new TextEncoder().encode(source(name).source), { name });
}

test("the gallery has programs of all instruction sets", () => {
  assert.deepEqual([...new Set(examples.map((example) => example.isa))].sort(), ["agal", "agx", "maxwell", "pica200"]);
  for (const { name, source, isa, title } of examples) {
    assert.ok(title.length > 10, name);
    const { bytes, lines } = shisa.assemble(source, { name });
    assert.ok(lines.length > 0 && lines[0].line > 1, name);
    const again = shisa.File.open(bytes, { isa });
    assert.deepEqual(again.program(1).extract(), opened(name).program(1).extract(), name);
    assert.deepEqual(shisa.diagnose(source, { name }), opened(name).check(), name);
  }
});

test("a file has an identity and programs by number and by name", () => {
  const file = opened("fog.frag.agal");
  assert.equal(file.identity.isa, "agal");
  assert.equal(file.identity.file, "fog.frag.agal");
  assert.equal(file.length, 1);
  assert.deepEqual(file.diagnostics, []);
  const program = file.program(1);
  assert.equal(program.number, 1);
  assert.equal(file.program(program.name).number, 1);
  for (const wrong of [0, 2, -1, 1.5e300, "nothing", NaN]) {
    assert.equal(outcome(() => file.program(wrong)).error?.diagnostics[0].code, "no-program", String(wrong));
  }
  assert.equal(outcome(() => file.program({})).error?.diagnostics[0].code, "usage");
});

test("a program outlives its file", () => {
  const file = opened("fog.frag.agal");
  const program = file.program(1);
  file.free();
  assert.match(program.listing(), /kil/);
});

test("a changed program is put back", () => {
  const file = opened("flat.v.pica");
  const bytes = shisa.assemble(source("flat.v.pica").source, { name: "flat.v.pica" }).bytes;
  const binary = shisa.File.open(bytes);
  assert.deepEqual(binary.replace(1, file.program(1).extract()), bytes);
});

test("translations have text or bytes, a reflection and a map", () => {
  const program = opened("fog.frag.agal").program(1);
  for (const to of ["wgsl", "glsl", "hlsl", "msl"]) {
    const { text, bytes, reflection, map } = program.translate(to);
    assert.ok(text.includes("ft0") && bytes === undefined, to);
    assert.equal(reflection.target, to);
    const lines = text.split("\n").length;
    assert.ok(map.length > 0 && map.every(({ start, end }) => 0 < start && start < end && end <= lines + 1), to);
  }
  const { bytes, text } = program.translate("spirv", { targetVersion: "1.5" });
  assert.equal(text, undefined);
  assert.deepEqual([...bytes.slice(0, 8)], [3, 2, 0x23, 7, 0, 5, 1, 0]);
  assert.match(program.translate("wgsl", { name: "fog", comments: true }).text, /fn fog/);
});

test("options of another file's settings are obeyed", () => {
  const program = opened("flat.v.pica").program(1);
  const [meaning, registers] = ["meaning", "registers"].map((outputs) => program.translate("wgsl", { outputs }).text);
  assert.notEqual(meaning, registers);
});

test("a run fills in results, on both engines the same", () => {
  for (const { name, input } of examples.filter((example) => example.input)) {
    const file = opened(name);
    const [exact, batch] = ["evaluator", "batch"].map((engine) => file.program(1).run(input, { engine }));
    assert.notDeepEqual(exact, input, name);
    // Only the evaluator counts.
    const uncounted = (run) => JSON.parse(JSON.stringify(run, (key, value) => (/^(executed|steps|end)$/.test(key) ? undefined : value)));
    assert.deepEqual(uncounted(batch), uncounted(exact), name);
    assert.deepEqual(file.program(1).run(JSON.stringify(input)), exact, name);
    const traced = JSON.stringify(file.run(input, { trace: 4 }));
    assert.ok(traced.includes('"trace"'), name);
  }
});

test("a picture has pixels, maps and floats", () => {
  const program = opened("fog.frag.agal").program(1);
  const picture = program.preview({
    width: 8, height: 4, maps: true, floats: true, alpha: true,
    varyings: { v0: "0,0/1,0/0,1/1,1" }, constants: { fc0: "1,0,0,1" },
  });
  assert.deepEqual([picture.width, picture.height, picture.rgba.length], [8, 4, 128]);
  assert.deepEqual(Object.keys(picture.maps), ["cost", "divergence", "nan"]);
  assert.equal(picture.floats.length, 128);
  assert.ok(picture.executed > 0 && picture.notes.length <= 1);
  picture.free();
});

test("a texture is an image", () => {
  const program = opened("lit.frag.agal").program(1);
  const image = (level) => ({ width: 1, height: 1, rgba: new Uint8ClampedArray([level, level, level, 255]) });
  const draw = (textures) => program.preview({ width: 2, height: 2, textures }).rgba;
  assert.notDeepEqual(draw({ fs0: image(0) }), draw({ fs0: image(255) }));
  for (const wrong of [{ fs0: { width: 2, height: 2, rgba: new Uint8Array(4) } }, { fs9: image(0) }]) {
    assert.equal(outcome(() => draw(wrong)).error?.diagnostics[0].code, "picture-input");
  }
  assert.equal(outcome(() => draw({ fs0: null })).error?.diagnostics[0].code, "usage");
});

test("engines are compared", () => {
  for (const { name, input } of examples.filter((example) => example.input)) {
    const program = opened(name).program(1);
    const [outputs, values] = [false, true].map((values) => program.lockstep(input, { values }));
    assert.ok(outputs.length > 0 && values.length === outputs.length, name);
    for (const { engine, reference, verdict, run } of [...outputs, ...values]) {
      assert.deepEqual([engine, reference, verdict], ["batch", "evaluator", "equal"], name);
      assert.ok(run >= 1 && run <= outputs.length, name);
    }
    assert.ok(values[0].instructions > 0, name);
  }
  const { input } = source("fog.frag.agal");
  const compared = (options) => opened("fog.frag.agal").program(1).lockstep(input, options);
  assert.deepEqual(compared({ engines: ["batch", "evaluator", "batch"] }).map(({ engine }) => engine), ["evaluator", "batch"]);
  assert.equal(outcome(() => compared({ engines: ["batch"] })).error?.diagnostics[0].code, "usage");
  assert.equal(outcome(() => compared({ engines: ["abacus", "batch"] })).error?.diagnostics[0].code, "usage");
});

test("a session moves in both directions", () => {
  const { input } = source("fog.frag.agal");
  const session = opened("fog.frag.agal").program(1).debug(input);
  const start = session.state();
  const step = session.command("step");
  assert.match(step.output, /step 1 of/);
  assert.notDeepEqual(session.state(), start);
  session.command("back");
  assert.deepEqual(session.state(), start);
  const { isSource, text, lines } = session.text();
  assert.ok(isSource && lines.length > 0);
  assert.equal(text.split("\n")[lines[0].line - 1], "sub ft0.x, fc1.z, v1.x");
  assert.equal(outcome(() => session.command("nonsense")).error?.diagnostics[0].code, "debug-command");
  assert.equal(outcome(() => session.command("save x")).error?.diagnostics[0].code, "debug-session");
  session.free();
});

test("graphs, reports, IR and bytes", () => {
  const program = opened("collatz.agx").program(1);
  assert.ok(program.cfg().blocks.length > 1);
  assert.match(program.cfgDot(), /^digraph/);
  assert.equal(program.report().file, "collatz.agx");
  assert.ok(program.ir().length > 100);
  assert.equal(program.listingJson({ live: true }).isa, "agx");
  assert.equal(shisa.version(), JSON.parse(JSON.stringify(shisa.version())));
});
