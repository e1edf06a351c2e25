import { expect, test } from "@playwright/test";
import { dropFiles, editor, enter, fact, fixture, openExample, openPage, replaceText, showPane, skipInFirefox } from "./page.ts";

test("the file pane shows bytes of instructions, linked to the listing", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  await expect(fact(page, "instruction set")).toHaveText("AGAL 2");
  await page.locator("#pane-listing .cm-line", { hasText: "kil ft0.x" }).hover();
  await expect(page.locator(".hex-bytes .linked").first()).toHaveText("27");
  await expect(page.locator(".hex-detail")).toContainText("instruction 1, 24 bytes");
  await page.locator(".hex-bytes i.even").first().hover();
  await expect(page.locator("#pane-listing .cm-line.linked")).toHaveText(/sub ft0\.x/);
});

test("the fields of an instruction have colours, and are linked to its bytes", async ({ page }) => {
  await openExample(page, "collatz.agx");
  await page.locator("#pane-listing .cm-line", { hasText: "imadd" }).first().click();
  const fields = page.getByRole("group", { name: "Fields of the instruction" });
  await expect(fields.locator("tbody tr").first()).toBeVisible();
  const destination = fields.locator("tbody tr", { hasText: "operand 1" }).first();
  await destination.hover();
  await expect(destination).toHaveClass(/marked/);
  await expect(page.locator(".hex-bytes .marked").first()).toBeVisible();
  await page.locator(".hex-bytes .linked").first().hover();
  await expect(fields.locator("tbody tr.marked").first()).toBeVisible();
});

test("the translation follows language and options, and its lines are linked", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  const pane = await showPane(page, "translation");
  await expect(pane.locator(".cm-content")).toContainText("discard");
  await page.locator("#pane-listing .cm-line", { hasText: "kil ft0.x" }).hover();
  await expect(pane.locator(".cm-line.linked").first()).toBeVisible();
  const texts: Record<string, string> = {
    "GLSL 4.50": "#version 450", "GLSL 3.30": "#version 330", "GLSL ES 3.00": "#version 300 es", HLSL: "SV_Target", MSL: "metal_stdlib", "SPIR-V": "07230203",
  };
  for (const [language, text] of Object.entries(texts)) {
    await pane.getByLabel("Language").selectOption({ label: language });
    await expect(pane.locator(".cm-content")).toContainText(text);
  }
  await pane.getByLabel("Language").selectOption({ label: "WGSL" });
  await pane.getByLabel("Comments").check();
  await expect(pane.locator(".cm-content")).toContainText("// kil ft0.x");
});

test("the graph has blocks that are linked to the listing", async ({ page }) => {
  await openExample(page, "collatz.agx");
  const pane = await showPane(page, "graph");
  await expect(pane.locator(".block")).toHaveCount(8);
  await page.locator("#pane-listing .cm-line", { hasText: "imadd" }).hover();
  await expect(pane.locator(".block.linked")).toHaveCount(1);
  const transform = () => pane.locator(".drawing > g").getAttribute("transform");
  const before = await transform();
  await pane.getByRole("button", { name: "Zoom in" }).click();
  expect(await transform()).not.toBe(before);
  await pane.getByRole("button", { name: "Fit" }).click();
  expect(await transform()).toBe(before);
});

test("findings name the rule, go to the line and open the reference", async ({ page }) => {
  // The example without its barriers.
  const source = fixture("examples/glow.maxwell").toString().replaceAll(/\{[^}]*\}/g, "{3f:-:-:-:f}");
  await openPage(page);
  await dropFiles(page, [{ name: "glow.maxwell", bytes: Buffer.from(source) }]);
  const pane = await showPane(page, "findings");
  await expect(pane.locator(".finding.error").first()).toContainText("barrier");
  await pane.getByRole("button", { name: "line 12" }).click();
  await expect(page.locator("#pane-listing .cm-line.linked")).toContainText("IPA.PASS");
  await pane.getByRole("button", { name: "maxwell-no-barrier" }).first().click();
  await expect(page.locator("#pane-reference article")).toContainText("maxwell-no-barrier");
});

test("the report shows costs, and goes to the line with the most live registers", async ({ page }) => {
  await openExample(page, "collatz.agx");
  const pane = await showPane(page, "report");
  await expect(pane.locator(".tile", { hasText: "cycles" })).toContainText("9");
  await pane.getByRole("button", { name: /most live registers/ }).click();
  await expect(page.locator("#pane-listing .cm-line.linked")).toContainText("and");
});

test("IR and reflection", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  const ir = await showPane(page, "ir");
  await expect(ir.locator(".cm-content")).toContainText("= kill");
  await page.locator("#pane-listing .cm-line", { hasText: "sat ft0.y" }).hover();
  await expect(ir.locator(".cm-line.linked")).toContainText("fsat");
  const reflection = await showPane(page, "reflection");
  await expect(reflection).toContainText("program_main");
  await expect(reflection.locator("td", { hasText: /^v1$/ })).toBeVisible();
});

test("a run has a form and outputs", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  const pane = await showPane(page, "run");
  await pane.getByRole("button", { name: "Run", exact: true }).click();
  await expect(pane.locator(".output")).toContainText("executed");
  await expect(pane.locator(".output")).toContainText("killed");
  await enter(pane.getByLabel("fc0, number 1"), "0.75");
  await pane.getByRole("button", { name: "Run", exact: true }).click();
  await expect(pane.locator(".output")).toContainText("0.9375");
  await pane.getByRole("button", { name: "Edit as JSON" }).click();
  await expect(pane.getByLabel("Input as JSON")).toHaveValue(/3f400000/);
});

test("the debugger steps in both directions, and says why", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  const pane = await showPane(page, "step");
  await expect(pane.locator(".where")).toContainText("step 0");
  await pane.getByRole("button", { name: "One step", exact: true }).click();
  await expect(pane.locator(".where")).toContainText("step 1, lane 0: kil ft0.x");
  await expect(page.locator("#pane-listing .cm-line.linked")).toContainText("kil");
  await expect(pane.locator("tr", { has: page.locator(".changed") })).toContainText("ft0.x");
  await pane.locator("tr", { hasText: "ft0.x" }).first().click();
  await expect(pane.locator("h3")).toContainText("ft0.x in all lanes");
  await expect(pane.locator("tr", { hasText: "-2.0" })).toBeVisible();
  await pane.getByRole("button", { name: "Why?" }).click();
  await expect(pane.locator(".answer")).toContainText("ft0.x in lane 0 = 7.0");
  await pane.getByRole("button", { name: "One step back" }).click();
  await expect(pane.locator(".where")).toContainText("step 0");
  await pane.getByRole("button", { name: "Last step" }).click();
  await expect(pane.locator(".where")).toContainText("ended");
  await pane.getByLabel("Command").fill("nonsense");
  await pane.getByLabel("Command").press("Enter");
  await expect(pane.locator(".answer")).toContainText("nonsense");
});

test("a fragment program has a picture, with maps of costs", async ({ page }) => {
  await openExample(page, "glow.agx");
  const pane = await showPane(page, "picture");
  const software = pane.locator("figure[data-figure=Software]");
  await expect(software).toContainText("instructions");
  const centre = () => software.locator("canvas").evaluate((canvas: HTMLCanvasElement) =>
    [...(canvas.getContext("2d")?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [])]);
  const colour = await centre();
  expect(colour.slice(0, 3).some((component) => component > 0)).toBe(true);
  await enter(pane.getByLabel("x", { exact: true }).first(), "1");
  await expect.poll(async () => (await centre())[0]).toBe(255);
  await pane.getByLabel("Show").selectOption("Cost");
  await expect.poll(centre).not.toEqual(colour);
});

test("a program of another stage has no picture", async ({ page }) => {
  await openExample(page, "lit.vert.agal");
  await expect(await showPane(page, "picture")).toContainText("Only fragment programs have pictures");
});

test("two programs are compared", async ({ page }) => {
  await openPage(page);
  await dropFiles(page, [
    { name: "a.frag.agal", bytes: fixture("examples/fog.frag.agal") },
    { name: "b.frag.agal", bytes: Buffer.from(fixture("examples/fog.frag.agal").toString().replace("sat ft0.y", "neg ft0.y")) },
  ]);
  const pane = await showPane(page, "compare");
  await pane.getByLabel("Compare with").selectOption({ label: "b.frag.agal" });
  await expect(pane.locator(".cm-merge-a .cm-changedLine")).toContainText("sat ft0.y");
  await expect(pane.locator(".cm-merge-b .cm-changedLine")).toContainText("neg ft0.y");
  await pane.getByLabel("Show").selectOption("Cost");
  await expect(pane.locator("tr", { hasText: "instructions" })).toContainText("11");
});

test("the reference finds words", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  const pane = await showPane(page, "reference");
  await pane.getByLabel("Word").fill("FFMA");
  await expect(pane.locator("article").first()).toContainText("FFMA");
  await pane.getByRole("button", { name: "FFMA32I" }).click();
  await expect(pane.getByLabel("Word")).toHaveValue("FFMA32I");
});

test("the reference has the chapters of the book", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  const pane = await showPane(page, "reference");
  await pane.getByRole("button", { name: "How a PICA200 program runs" }).click();
  await expect(pane.locator("article h2").first()).toHaveText("How a PICA200 program runs");
  await pane.locator("article a[href$='.html']").first().click();
  await expect(pane.locator("article h2").first()).not.toHaveText("How a PICA200 program runs");
});

test("the pages of the reference have diagrams, links and examples that open", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  const pane = await showPane(page, "reference");
  await pane.getByLabel("Word").fill("FADD");
  await expect(pane.locator("article table.bits").first()).toBeVisible();
  await pane.locator("article a", { hasText: /^DADD$/ }).first().click();
  await expect(pane.locator("article h2").first()).toContainText("DADD");
  await pane.locator("article a[href^='#1.']").first().click();
  await expect(fact(page, "instruction set")).toContainText("Maxwell");
});

test("the listing is assembled while one types", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  await replaceText(page, "// agal 2 fragment\nmov ft0, v0\nfoo ft1\n");
  await expect(page.locator(".findings .finding.error")).toContainText('unknown opcode "foo"');
  await expect(page.locator("#pane-listing .cm-lintRange-error")).toHaveText("foo");
  await replaceText(page, "// agal 2 fragment\nmul oc, v0, fc3\n");
  await expect(page.locator("#pane-translation .cm-content")).toContainText("fc[3]");
  await expect(editor(page)).toContainText("mul oc");
});

test("completion offers words, and hover explains them", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  await replaceText(page, "// agal 2 fragment\n");
  await page.keyboard.type("mo");
  await page.keyboard.press("Control+Space");
  await expect(page.locator(".cm-tooltip-autocomplete li", { hasText: /^mov$/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await replaceText(page, "// agal 2 fragment\nmov oc, v0\n");
  const word = page.locator("#pane-listing .cm-line", { hasText: "mov oc" }).locator("span").first();
  await word.hover();
  await expect(page.locator(".cm-tooltip .hover")).toContainText("AGAL opcode");
});

test("an edited program of a binary file is saved in the file", async ({ page, browserName }) => {
  skipInFirefox(browserName, "WebDriver BiDi of Firefox does not report downloads of blobs");
  await openPage(page);
  await dropFiles(page, [{ name: "kernels.cubin", bytes: fixture("tests/identify/kernels.cubin") }]);
  await expect(editor(page)).toContainText("MOV32I R1, 0x1");
  const text = await page.locator("#pane-listing .cm-line").allTextContents();
  await replaceText(page, text.join("\n").replace("MOV32I R1, 0x1;", "MOV32I R1, 0x7;"));
  await expect(page.getByRole("button", { name: "Save in the file" })).toBeVisible();
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save in the file" }).click()]);
  expect(saved.suggestedFilename()).toBe("kernels.cubin");
});

test("panes move by keys, and stay there", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  await page.locator("#tab-graph").focus();
  await page.keyboard.press("Alt+ArrowUp");
  const first = page.locator(".group", { has: page.locator("#tab-translation") });
  await expect(first.locator("#tab-graph")).toBeVisible();
  await page.reload();
  await page.locator(".gallery button").first().click();
  await expect(first.locator("#tab-graph")).toBeVisible();
});

test("panes move by drag, and stay there", async ({ page, browserName }) => {
  skipInFirefox(browserName, "WebDriver BiDi of Firefox does not drag and drop");
  await openExample(page, "fog.frag.agal");
  await page.locator("#tab-report").dragTo(page.locator("#pane-file"), { targetPosition: { x: 60, y: 60 } });
  await expect(page.locator(".group", { has: page.locator("#tab-file") }).locator("#tab-report")).toBeVisible();
  await page.reload();
  await page.locator(".gallery button").first().click();
  await expect(page.locator(".group", { has: page.locator("#tab-file") }).locator("#tab-report")).toBeVisible();
});
