import type { Reflection } from "shisa";

/** A constant of a program: its name for `preview`, and where the translation reads it. */
export interface Constant {
  readonly name: string;
  readonly group: number;
  readonly binding: number;
  /** The first byte in the buffer. */
  readonly offset: number;
  /** The initial values, one for each component. */
  readonly values: readonly number[];
}

/** Bytes of a vector and of a component. */
const VECTOR = 16;
const COMPONENT = 4;

/** The values of constants that nothing states. */
const INITIAL = [0.25, 0.5, 0.75, 1];

/** The constants that a fragment program reads. */
export function constantsOf(reflection: Reflection): Constant[] {
  const uniforms = reflection.uniforms.filter(({ scalar }) => scalar !== "i1").flatMap((uniform) => {
    const { name, group, binding } = uniform;
    const used = uniform.used as number[];
    // Registers of integers are components of their own; registers of floats are vectors.
    return used.map((register): Constant => uniform.scalar === "f32"
      ? { name: `${name}${register}`, group, binding, offset: register * VECTOR, values: INITIAL }
      : { name: `${name}${register}`, group, binding, offset: register * COMPONENT, values: [INITIAL[register % 4] ?? 1] });
  });
  const banks = reflection.memory.filter(({ kind }) => kind === "uniform").flatMap((bank) => {
    const { name, group, binding } = bank;
    const count = Math.ceil(Number(bank.size) / VECTOR);
    const number = Number(name.slice(1)).toString(16);
    return Array.from({ length: count }, (_, index): Constant =>
      ({ name: `c[0x${number}][0x${(index * VECTOR).toString(16)}]`, group, binding, offset: index * VECTOR, values: INITIAL }));
  });
  return [...uniforms, ...banks];
}
