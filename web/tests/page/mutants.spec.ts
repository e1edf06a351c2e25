import { expect, test } from "@playwright/test";
import { mutated, numbers } from "./mutants.ts";
import { fact, openPage, showPane } from "./page.ts";
import { NOTHING, samples } from "./samples.ts";

/** How many files are dropped; `SHISA_MUTANTS` sets it. */
const COUNT = Number(process.env.SHISA_MUTANTS ?? 100);

/** The panes that are shown, one for each file: a narrow window draws only that one. */
const PANES = ["file", "listing", "translation", "graph", "findings", "report", "ir", "reflection", "picture"];

// A drop states no instruction set.
const SEEDS = samples().filter(({ isa }) => isa === undefined);

test.use({ viewport: { width: 500, height: 700 } });

test(`${COUNT} changed files: each gets a result or a diagnostic, and the page lives`, async ({ page }) => {
  test.setTimeout(60_000 + COUNT * 1000);
  const crashes: string[] = [];
  page.on("pageerror", (error) => crashes.push(error.message));
  await openPage(page);
  const random = numbers(22);
  let answered = 0;
  for (let index = 0; index < COUNT; index++) {
    const { name, bytes } = SEEDS[index % SEEDS.length] ?? NOTHING;
    const own = `${index}-${name}`;
    const base64 = Buffer.from(mutated(bytes, random)).toString("base64");
    // The page has answered when its status is no longer that of opening the file.
    const status = await page.evaluate(async ([fileName, content, pane]) => {
      document.getElementById(`tab-${pane}`)?.click();
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(content ?? ""), (character) => character.charCodeAt(0))], fileName ?? ""));
      document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
      const bar = document.querySelector(".status [role=status]");
      const deadline = performance.now() + 20_000;
      let hasOpened = false;
      while (performance.now() < deadline) {
        const text = bar?.textContent ?? "";
        if (text === `opening ${fileName}`) hasOpened = true;
        else if (hasOpened || document.title.startsWith(`${fileName} `)) return text;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return "";
    }, [own, base64, PANES[index % PANES.length]]);
    expect(status, own).not.toBe("");
    expect(status, own).not.toContain("started anew");
    answered++;
    // A page that holds all files that were ever opened would measure its own memory.
    await page.evaluate(() => document.querySelector<HTMLElement>("[aria-label='Close the file']")?.click());
  }
  expect(answered).toBe(COUNT);
  expect(crashes).toEqual([]);
  await page.locator(".gallery button", { hasText: "glow.agx" }).click();
  await showPane(page, "file");
  await expect(fact(page, "confidence")).toHaveText("certain");
});
