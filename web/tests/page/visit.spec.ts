import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page, test } from "@playwright/test";
import { editor, fact, openExample, openPage, replaceText, showPane, skipInFirefox } from "./page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The findings of axe that are serious or critical. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> } };
    const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}

test("a link carries the program, and lasts", async ({ page }) => {
  await openExample(page, "fog.frag.agal");
  await replaceText(page, "// agal 2 fragment\nmul oc, v0, fc3\n");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.locator(".status")).toContainText("in the clipboard");
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toContain("#1.");
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(editor(other)).toContainText("mul oc, v0, fc3");
  await expect(fact(other, "file")).toHaveText("fog.frag.agal");
});

test("a damaged link is named, and the page works", async ({ page }) => {
  await openPage(page, "#1.AAAA");
  await expect(page.locator(".status")).toContainText("damaged or incomplete");
  await page.locator(".gallery button").first().click();
  await expect(fact(page, "confidence")).toHaveText("certain");
});

test("after the first visit the page works without a network", async ({ page, context }) => {
  await openPage(page);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    if (registration.active?.state !== "activated") {
      await new Promise((resolve) => registration.active?.addEventListener("statechange", resolve));
    }
  });
  await context.setOffline(true);
  await page.reload();
  await page.locator(".gallery button", { hasText: "glow.agx" }).click();
  await expect(fact(page, "confidence")).toHaveText("certain");
  for (const pane of ["translation", "graph", "report", "ir", "run", "step", "picture", "compare", "reference"]) {
    await expect(await showPane(page, pane)).not.toContainText("could not be loaded");
  }
});

test("nothing is requested from another origin", async ({ page, baseURL }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  await openExample(page, "glow.maxwell");
  for (const pane of ["picture", "step", "run", "reference", "compare"]) await showPane(page, pane);
  expect(requests.filter((url) => !url.startsWith(baseURL ?? "") && !url.startsWith("data:") && !url.startsWith("blob:"))).toEqual([]);
  expect(refused).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true });

  test("one pane at a time, and nothing is wider than the window", async ({ page }) => {
    await openExample(page, "glow.agx");
    for (const pane of ["file", "listing", "translation", "graph", "findings", "report", "ir", "reflection", "picture", "run", "step", "compare", "reference"]) {
      await showPane(page, pane);
      expect(await page.locator(".frame").count()).toBe(1);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    expect(await seriousFindings(page)).toEqual([]);
  });
});

test("everything can be done by keys", async ({ page }) => {
  await openPage(page);
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.closest(".gallery") !== null)) break;
  }
  await page.keyboard.press("Enter");
  await expect(fact(page, "confidence")).toHaveText("certain");
  await page.locator("#tab-findings").focus();
  for (const pane of ["reference", "run", "step"]) {
    await page.keyboard.press("ArrowRight");
    await expect(page.locator(`#tab-${pane}`)).toBeFocused();
    await expect(page.locator(`#tab-${pane}`)).toHaveAttribute("aria-selected", "true");
  }
  await expect(page.locator(".where")).toContainText("step 0");
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "One step")) break;
  }
  await page.keyboard.press("Enter");
  await expect(page.locator(".where")).toContainText("step 1");
  await page.keyboard.press("F10");
  await expect(page.locator(".where")).toContainText("step 2");
  await page.keyboard.press("Shift+F10");
  await expect(page.locator(".where")).toContainText("step 1");
  // The editor does not take Tab for itself.
  await editor(page).focus();
  await page.keyboard.press("Tab");
  await expect(editor(page)).not.toBeFocused();
  await page.locator(".splitter.row").first().focus();
  const width = () => page.locator(".column").first().evaluate((column) => column.clientWidth);
  const before = await width();
  await page.keyboard.press("ArrowRight");
  expect(await width()).toBeGreaterThan(before);
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe has no serious findings in the ${scheme} theme`, async ({ page, browserName }) => {
    if (scheme === "dark") skipInFirefox(browserName, "WebDriver BiDi of Firefox does not set the colour scheme");
    test.slow(browserName === "firefox", "axe takes seconds for each pane");
    await page.emulateMedia({ colorScheme: scheme });
    await openPage(page);
    expect(await seriousFindings(page)).toEqual([]);
    await openExample(page, "fog.frag.agal");
    await page.locator("#pane-listing .cm-line", { hasText: "kil ft0.x" }).click();
    await expect(page.getByRole("group", { name: "Fields of the instruction" })).toBeVisible();
    for (const pane of ["translation", "ir", "reflection", "graph", "report", "picture", "reference", "run", "step", "findings", "compare", "listing"]) {
      await showPane(page, pane);
      await page.waitForTimeout(400);
      expect(await seriousFindings(page), pane).toEqual([]);
    }
    await page.getByRole("button", { name: "Keys and panes" }).click();
    expect(await seriousFindings(page)).toEqual([]);
  });
}

test("the theme switches, and is remembered", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openPage(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Theme: auto" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  expect(await ground()).not.toBe(light);
  await page.reload();
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
});
