// Writes the pictures of the book: `npm run build`, then `npx vite preview`, then this with the address of the page.
import { chromium } from "@playwright/test";

const [address = "http://localhost:4173/"] = process.argv.slice(2);
const BOOK = new URL("../../docs/book/src/", import.meta.url).pathname;

/** A picture: an example, panes to show, and a line to highlight. */
const PICTURES = [
  { file: "page-light.png", colorScheme: "light", example: "fog.frag.agal", panes: ["translation", "picture", "findings"], line: "sat ft0.y" },
  { file: "page-dark.png", colorScheme: "dark", example: "collatz.agx", panes: ["step", "graph"], line: "iadd     r3" },
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const { file, colorScheme, example, panes, line } of PICTURES) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme });
  await page.goto(address);
  await page.locator(".gallery button", { hasText: example }).click();
  await page.locator("#pane-listing .cm-line", { hasText: line }).waitFor();
  for (const pane of panes) await page.locator(`#tab-${pane}`).click();
  await page.waitForTimeout(2500);
  await page.locator("#pane-listing .cm-line", { hasText: line }).click({ position: { x: 60, y: 8 } });
  // Away from the listing, so that no help covers it.
  await page.mouse.move(640, 20);
  await page.waitForTimeout(700);
  await page.screenshot({ path: BOOK + file });
  await page.close();
}
await browser.close();
