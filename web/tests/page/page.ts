import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";

/** The bytes of a file of the repository. */
export function fixture(path: string): Buffer {
  return readFileSync(new URL(`../../../${path}`, import.meta.url));
}

/** Opens the page and waits until its module answers. */
export async function openPage(page: Page, fragment = ""): Promise<void> {
  await page.goto(`./${fragment}`);
  if (fragment === "") await expect(page.locator(".gallery button").first()).toBeVisible();
}

/** Opens an example of the gallery, and waits for its program. */
export async function openExample(page: Page, name: string): Promise<void> {
  await openPage(page);
  await page.locator(".gallery button", { hasText: name }).click();
  await expect(page.locator(".offsets .cm-gutterElement", { hasText: /^[0-9a-f]{4,}$/ }).filter({ visible: true }).first()).toBeVisible();
}

/** Opens files by the dialog of the browser. */
export async function chooseFiles(page: Page, files: readonly { readonly name: string; readonly bytes: Buffer }[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open…", exact: true }).click()]);
  await chooser.setFiles(files.map(({ name, bytes }) => ({ name, mimeType: "application/octet-stream", buffer: bytes })));
}

/** Drops files on the page. */
export async function dropFiles(page: Page, files: readonly { readonly name: string; readonly bytes: Buffer }[]): Promise<void> {
  const list = files.map(({ name, bytes }) => ({ name, base64: bytes.toString("base64") }));
  await page.evaluate((all) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, list);
}

/** The value of a fact about the file. */
export function fact(page: Page, name: string): Locator {
  return page.locator(".facts > .pairs > dt", { hasText: new RegExp(`^${name}$`) }).locator("xpath=following-sibling::dd[1]");
}

/** Shows a pane. */
export async function showPane(page: Page, id: string): Promise<Locator> {
  await page.locator(`#tab-${id}`).click();
  const pane = page.locator(`#pane-${id}`);
  await expect(pane).toBeVisible();
  return pane;
}

/** The editor of the listing. */
export function editor(page: Page): Locator {
  return page.locator("#pane-listing .cm-content");
}

/** Replaces the text of the editor. */
export async function replaceText(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
  // Driven by WebDriver, Firefox leaves the cursor before the text.
  await page.keyboard.press("ControlOrMeta+End");
}

/** Skips a test in Firefox, and prints the reason. */
export function skipInFirefox(browserName: string, reason: string): void {
  if (browserName !== "firefox") return;
  console.log(`skipped: ${reason}`);
  test.skip(true, reason);
}

/** Types a number or a text into a field, and leaves it. Playwright's `fill` makes no change that Firefox reports as one leaves the field. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.selectText();
  await field.pressSequentially(text);
  await field.press("Tab");
}
