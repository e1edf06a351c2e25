import { expect, test } from "@playwright/test";
import { examples, File } from "shisa";
import { openExample, showPane } from "../page/page.ts";

/** The largest difference of a component of a colour, of 255: what rounding to bytes can change. */
const BOUND = 1;

const FRAGMENTS = examples().filter(({ name, isa, source }) => {
  const file = File.open(new TextEncoder().encode(source), { name, isa, unchecked: true });
  return file.identity.stage === "fragment" || name.startsWith("glow");
});

for (const { name } of FRAGMENTS) {
  test(`${name} on WebGPU equals the software picture`, async ({ page }) => {
    await openExample(page, name);
    const pane = await showPane(page, "picture");
    const hardware = pane.locator("figure[data-figure=WebGPU]");
    await expect(hardware).toContainText("largest difference", { timeout: 30_000 });
    const text = await hardware.innerText();
    console.log(`${name}: ${text}`);
    expect(Number(await hardware.getAttribute("data-difference"))).toBeLessThanOrEqual(BOUND);
  });
}
