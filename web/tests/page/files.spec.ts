import { expect, test } from "@playwright/test";
import { assemble, examples } from "shisa";
import { chooseFiles, dropFiles, editor, fact, fixture, openPage } from "./page.ts";

function assembled(name: string): Buffer {
  const example = examples().find((each) => each.name === name);
  if (example === undefined) throw new Error(`there is no example ${name}`);
  return Buffer.from(assemble(example.source, { name, isa: example.isa, unchecked: true }).bytes);
}

/** A file of each kind, its kind as the page names it, and a mnemonic of its listing. */
const FILES: readonly { readonly name: string; readonly bytes: Buffer; readonly kind: string; readonly text: RegExp }[] = [
  { name: "shaders.swf", bytes: fixture("tests/swf/shaders.swf"), kind: "swf", text: /mov|m44/ },
  { name: "library.swc", bytes: fixture("tests/swf/library.swc"), kind: "swc", text: /mov|m44/ },
  { name: "kernels.cubin", bytes: fixture("tests/identify/kernels.cubin"), kind: "cubin", text: /EXIT/ },
  { name: "kernels.fatbin", bytes: fixture("tests/identify/kernels.fatbin"), kind: "fatbin", text: /EXIT/ },
  { name: "library.so", bytes: fixture("tests/identify/library.so"), kind: "cuda-host", text: /EXIT/ },
  { name: "shaders.dksh", bytes: fixture("tests/identify/shaders.dksh"), kind: "dksh", text: /EXIT/ },
  { name: "shader.sph", bytes: fixture("tests/identify/shader.sph"), kind: "sph", text: /EXIT/ },
  { name: "shader.nvn-code", bytes: fixture("tests/identify/shader.nvn-code"), kind: "nvn-code", text: /EXIT/ },
  { name: "shader.nvn-control", bytes: fixture("tests/identify/shader.nvn-control"), kind: "nvn-control", text: /./ },
  { name: "shaders.metal-archive", bytes: fixture("tests/identify/shaders.metal-archive"), kind: "metal-archive", text: /stop/ },
  { name: "shaders.csdr", bytes: fixture("tests/identify/shaders.csdr"), kind: "csdr", text: /end/ },
  { name: "figure.shbin", bytes: assembled("figure.v.pica"), kind: "shbin", text: /dp4/ },
  { name: "fog.agal", bytes: assembled("fog.frag.agal"), kind: "agal", text: /kil ft0/ },
  { name: "glow.frag.agal", bytes: fixture("examples/lit.frag.agal"), kind: "agal-text", text: /nrm|dp3/ },
  { name: "flat.v.pica", bytes: fixture("examples/flat.v.pica"), kind: "pica200-text", text: /dp4/ },
  { name: "glow.maxwell", bytes: fixture("examples/glow.maxwell"), kind: "maxwell-text", text: /MUFU/ },
  { name: "collatz.agx", bytes: fixture("examples/collatz.agx"), kind: "agx-text", text: /jmp_any/ },
];

for (const [how, open] of [["choice", chooseFiles], ["drop", dropFiles]] as const) {
  test(`files of every kind open by ${how}`, async ({ page }) => {
    test.setTimeout(180_000);
    await openPage(page);
    for (const file of FILES) {
      await test.step(file.name, async () => {
        await open(page, [file]);
        await expect(fact(page, "file")).toHaveText(file.name);
        await expect.soft(fact(page, "kind"), file.name).toHaveText(file.kind);
        await expect.soft(editor(page), file.name).toContainText(file.text);
      });
    }
  });
}

test("several files open at once, and each can be chosen", async ({ page }) => {
  await openPage(page);
  await dropFiles(page, FILES.slice(0, 3));
  await expect(fact(page, "file")).toHaveText("shaders.swf");
  await page.getByRole("combobox", { name: "File" }).selectOption({ label: "kernels.cubin" });
  await expect(fact(page, "kind")).toHaveText("cubin");
  await page.getByRole("combobox", { name: "Program" }).selectOption({ label: "2: help" });
  await expect(page.locator(".facts tr[aria-current]")).toContainText("help");
});

test("bytes of no known kind get a choice of instruction sets", async ({ page }) => {
  await openPage(page);
  await dropFiles(page, [{ name: "noise.bin", bytes: Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]) }]);
  await expect(page.getByLabel("Read it as")).toBeVisible();
  await page.getByLabel("Read it as").selectOption("AGX");
  await expect(fact(page, "instruction set")).toContainText("AGX");
});

test("a code file of NVN takes the control file that belongs to it, and code without a container a chip", async ({ page }) => {
  await openPage(page);
  const pair = ["shader.nvn-code", "shader.nvn-control"].map((name) => ({ name, bytes: fixture(`tests/identify/${name}`) }));
  await dropFiles(page, pair);
  await expect(fact(page, "kind")).toHaveText("nvn-code");
  await page.getByLabel("Control file").selectOption({ label: "shader.nvn-control" });
  await expect(page.locator(".facts tr").nth(1)).toContainText("vertex");
  await dropFiles(page, [{ name: "code.bin", bytes: assembled("saxpy.maxwell") }]);
  await page.getByLabel("Read it as").selectOption("Maxwell");
  await page.getByLabel("Chip").selectOption("sm_50");
  await expect(editor(page)).toContainText(".chip sm_50");
});

test("pasted hex and pasted text open", async ({ page }) => {
  await openPage(page);
  await page.getByRole("button", { name: "Paste…", exact: true }).click();
  await page.getByRole("textbox", { name: "Hex or text" }).fill(assembled("fog.frag.agal").toString("hex"));
  await page.getByRole("dialog").getByRole("button", { name: "Open", exact: true }).click();
  await expect(fact(page, "kind")).toHaveText("agal");
  await page.getByRole("button", { name: "Paste…", exact: true }).click();
  await page.getByRole("textbox", { name: "Hex or text" }).fill("// agal 1 fragment\nmov oc, v0\n");
  await page.getByRole("dialog").getByRole("button", { name: "Open", exact: true }).click();
  await expect(fact(page, "kind")).toHaveText("agal-text");
});
