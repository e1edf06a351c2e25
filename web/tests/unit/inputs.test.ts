import { expect, test } from "@playwright/test";
import { examples, File } from "shisa";
import { inputsFor } from "../../src/engine/inputs.ts";

for (const { name, isa, source } of examples()) {
  test(`${name} runs on the input that is made from its reflection`, () => {
    const file = File.open(new TextEncoder().encode(source), { name, isa, unchecked: true });
    const program = file.program(1);
    const input = inputsFor(isa, program.translate("wgsl").reflection);
    const result = program.run(input);
    expect(JSON.stringify(result)).not.toBe(JSON.stringify(input));
    program.debug(input).free();
    program.free();
    file.free();
  });
}
