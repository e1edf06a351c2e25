import { expect, test } from "@playwright/test";
import { LARGEST_LINKED, readLink, writeLink } from "../../src/open/link.ts";

const bytes = Uint8Array.from({ length: 300 }, (_, index) => index);

test("a link has all that it was made from", async () => {
  const linked = { name: "a.frag.agal", bytes, isa: "agal" as const, program: 2, input: { lanes: 4 } };
  const fragment = await writeLink(linked);
  expect(fragment).toMatch(/^1\.[\w-]+$/);
  expect(await readLink(fragment)).toEqual(linked);
});

test("a repetitive source has a short link", async () => {
  const source = new TextEncoder().encode("mov ft0, v0\n".repeat(1000));
  expect((await writeLink({ name: "a", bytes: source, program: 0 })).length).toBeLessThan(300);
});

test("a link of this format is read for as long as there are links", async () => {
  const linked = await readLink("1.U2KoVspLzE1VslJK1EsrSkzXS0xPzFHSUSooyk8vSsxVsjKo1ddXAAkqGCmAFOSm5pVw5eaXKeQn6yiUGXABAA");
  expect(linked?.name).toBe("a.frag.agal");
  expect(new TextDecoder().decode(linked?.bytes)).toBe("// agal 2 fragment\nmov oc, v0\n");
});

test("other fragments are no links", async () => {
  for (const fragment of ["", "reference", "x.y"]) expect(await readLink(fragment)).toBeUndefined();
});

test("damaged and newer links are refused with a reason", async () => {
  const fragment = await writeLink({ name: "a", bytes, program: 0 });
  await expect(readLink(fragment.slice(0, 20))).rejects.toThrow("damaged or incomplete");
  await expect(readLink("1.%%")).rejects.toThrow("base64url");
  await expect(readLink("2.AAAA")).rejects.toThrow("newer version");
});

test("a link whose file is larger than the limit is refused before it is unpacked", async () => {
  const head = JSON.stringify({ name: "a", program: 0 }).length + 2;
  const fits = await writeLink({ name: "a", bytes: new Uint8Array(LARGEST_LINKED - head), program: 0 });
  expect((await readLink(fits))?.bytes).toHaveLength(LARGEST_LINKED - head);
  const exceeds = await writeLink({ name: "a", bytes: new Uint8Array(LARGEST_LINKED - head + 1), program: 0 });
  await expect(readLink(exceeds)).rejects.toThrow(`more than ${LARGEST_LINKED} bytes`);
});
