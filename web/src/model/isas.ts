import type { Isa } from "shisa";

/** The instruction sets and their names. */
export const ISAS: readonly { readonly value: Isa; readonly text: string }[] = [
  { value: "agal", text: "AGAL" },
  { value: "pica200", text: "PICA200" },
  { value: "maxwell", text: "Maxwell" },
  { value: "agx", text: "AGX" },
];

/** The name of an instruction set. */
export function isaName(isa: Isa | null | undefined): string {
  return ISAS.find(({ value }) => value === isa)?.text ?? "unknown";
}
