import type { Isa, Reflection, RunInput, Stage, Variable } from "shisa";

/** 1, 0, 0, 1 and zeros as bit patterns of binary32. */
const VALUE = "3f800000 00000000 00000000 3f800000";

/** Where buffers begin that the form makes, and their size in bytes. */
const ADDRESS = 0x1_0000_0000;
const BUFFER = 256;

/** A quad of pixels. */
const QUAD = { width: 2, height: 2 };

/**
 * An input with an entry for all that a program reads, in the form of its instruction set (`docs/schema`). Nothing states the
 * values, so vectors are 1, 0, 0, 1 and memory is zero.
 */
export function inputsFor(isa: Isa, reflection: Reflection): RunInput {
  return FORMS[isa](reflection);
}

const FORMS: Record<Isa, (reflection: Reflection) => RunInput> = { agal, pica200, maxwell, agx };

function agal(reflection: Reflection): RunInput {
  const isPixel = reflection.stage === "fragment";
  const names = locations(reflection).map(({ name }) => name);
  const inputs = isPixel
    ? { varyings: entries(names, () => Array<string>(4).fill(VALUE)) }
    : { attributes: entries(names, () => ({ format: "float4", values: [VALUE] })) };
  const image = { dimension: "2d", width: 2, height: 2, format: "rgba8", levels: [["ff0000ff00ff00ff0000ffffffffffff"]] };
  return {
    version: 1,
    ...(isPixel ? { lanes: 4, grid: QUAD } : { lanes: 1 }),
    ...inputs,
    constants: entries(registers(reflection, "f32"), () => VALUE),
    textures: entries(reflection.textures.map(({ name }) => name), () => image),
  };
}

function pica200(reflection: Reflection): RunInput {
  const run = { in: entries(locations(reflection).map(({ name }) => name), () => VALUE) };
  const set = {
    c: entries(registers(reflection, "f32"), () => VALUE),
    i: entries(registers(reflection, "i32"), () => [0, 0, 1, 0]),
    b: "0000",
    [reflection.stage === "geometry" ? "invocations" : "vertices"]: [run],
  };
  return { version: 1, sets: [set] };
}

function maxwell(reflection: Reflection): RunInput {
  const banks = reflection.memory.filter(({ kind }) => kind === "uniform").map(({ name, size }) => [name.slice(1), Number(size)] as const);
  const constants = Object.fromEntries(banks.map(([bank, size]) => [bank, VALUE_BYTES.repeat(Math.ceil(size / 16))]));
  if (isGraphics(reflection.stage)) {
    const values = entries(locations(reflection).map(({ name }) => name), () => VALUE);
    return { version: 1, constants, ...(reflection.stage === "fragment" ? { pixels: { ...QUAD, in: values } } : { vertices: [{ in: values }] }) };
  }
  const { "0": _, ...others } = constants;
  const pointers = reflection.memory.flatMap(({ pointer }) => (isPointer(pointer) && pointer.bank === 0 ? [pointer.offset] : []));
  const size = Math.max(0, ...pointers.map((offset) => offset + 8), ...banks.filter(([bank]) => bank === "0").map(([, bytes]) => bytes)) - PARAMETERS;
  const params = new Uint8Array(Math.max(0, size));
  for (const [index, offset] of pointers.entries()) {
    if (offset >= PARAMETERS) new DataView(params.buffer).setBigUint64(offset - PARAMETERS, BigInt(ADDRESS + index * 0x1000), true);
  }
  return {
    version: 1, grid: [1, 1, 1], block: reflection.workgroup, params: hexOf(params), constants: others,
    buffers: pointers.map((_, index) => ({ address: `0x${(ADDRESS + index * 0x1000).toString(16)}`, type: "u32", data: zeros() })),
  };
}

function agx(reflection: Reflection): RunInput {
  const used = reflection.uniforms.flatMap((uniform) => uniform.used as number[]);
  const hasMemory = reflection.memory.length > 0;
  // The first two uniforms usually are the address of a buffer.
  const uniforms = new Uint8Array(Math.max(hasMemory ? 8 : 0, ...used.map((register) => 4 * register + 4)));
  if (hasMemory) new DataView(uniforms.buffer).setBigUint64(0, BigInt(ADDRESS), true);
  const memory = hasMemory ? { buffers: [{ addr: ADDRESS, data: zeros() }] } : {};
  const shared = { version: 1, uniforms_hex: hexOf(uniforms), ...memory };
  if (reflection.stage === "fragment") {
    const coefficients = entries(locations(reflection).map(({ name }) => name), () => [0.5, 0.5, 0]);
    return { ...shared, pixels: { ...QUAD, coefficients: { cf0: [0, 0, 1], ...coefficients } } };
  }
  if (reflection.stage === "vertex") return { ...shared, vertices: [0, 1, 2] };
  return { ...shared, grid: reflection.workgroup, workgroup: reflection.workgroup };
}

/** Where the parameters of a kernel begin in bank 0, in bytes. */
const PARAMETERS = 0x140;

/** `VALUE` as bytes, little endian, in hex. */
const VALUE_BYTES = "0000803f00000000000000000000803f";

function isPointer(value: unknown): value is { readonly bank: number; readonly offset: number } {
  return typeof value === "object" && value !== null && "bank" in value && "offset" in value;
}

function isGraphics(stage: Stage): boolean {
  return stage !== "compute";
}

function locations({ inputs }: Reflection): Variable[] {
  return inputs.filter(({ kind }) => kind === "location");
}

/** The names of the used registers of one kind. */
function registers({ uniforms }: Reflection, scalar: string): string[] {
  return uniforms.filter((uniform) => uniform.scalar === scalar).flatMap((uniform) => {
    const given = new Set((uniform.given as { register: number }[]).map(({ register }) => register));
    return (uniform.used as number[]).filter((register) => !given.has(register)).map((register) => `${uniform.name}${register}`);
  });
}

function entries<Value>(names: readonly string[], value: () => Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value()]));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function zeros(): string {
  return btoa("\0".repeat(BUFFER));
}
