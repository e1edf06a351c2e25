const HEX = /^(?:0x)?[0-9a-fA-F]+$/;
const PAIR = 2;

/**
 * The bytes that a pasted text writes in hex: digits in pairs, with any white space, commas and `0x` between them. Words
 * with more than two digits are in the order in which they are written. Undefined if the text is something else.
 */
export function parseHex(text: string): Uint8Array | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== "");
  if (words.length === 0 || !words.every((word) => HEX.test(word))) return undefined;
  const digits = words.map((word) => word.replace(/^0x/i, ""));
  if (digits.some((word) => word.length % PAIR !== 0)) return undefined;
  const all = digits.join("");
  // A single short word is more likely a mnemonic such as `add`.
  if (all.length < 8) return undefined;
  const bytes = new Uint8Array(all.length / PAIR);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(all.slice(index * PAIR, index * PAIR + PAIR), 16);
  }
  return bytes;
}
