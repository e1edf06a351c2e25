// Compiled by the tests, and never run: the types of the package under `strict`.
import init, { File, ShisaError, assemble, diagnose, examples, explain, identify, onPanic, reset, version, words } from "shisa";
import type { Answer, Cfg, Comparison, Diagnostic, Identity, Isa, Listing, Picture, Program, Session, Settings, Translation } from "shisa";

await init();
await init({ module_or_path: new URL("./shisa_bg.wasm", import.meta.url) });
onPanic((message: string) => console.error(message));

const settings: Settings = { isa: "agal", stage: "fragment", set: { ifg: "gt" }, limits: { file: 1 << 20 } };
const identity: Identity = identify(new Uint8Array(), settings);
const file: File = File.open(new Uint8Array());
const program: Program = file.program("main");
const isa: Isa | null = program.isa;
const listing: Listing = program.listingJson({ live: true });
const cfg: Cfg = program.cfg();
const translation: Translation = program.translate("glsl", { targetVersion: "300es" });
const location: number | null | undefined = translation.reflection.inputs[0]?.location;
const picture: Picture = program.preview({ width: 8, textures: { fs0: { width: 1, height: 1, rgba: new Uint8Array(4) } } });
const cost: Uint8Array | undefined = picture.maps?.cost;
const session: Session = program.debug({ version: 1 }, { memory: 8 });
const answer: Answer = session.command("step");
const found: Diagnostic[] = [...file.check(), ...diagnose("", settings)];
const bare: File = File.fromCode({ isa: "pica200", code: new Uint32Array(2), descriptors: [0], stage: "vertex", entry: 1 }, settings);
const compared: Comparison[] = bare.program(1).lockstep({ version: 1 }, { engines: ["evaluator", "batch"], values: true });
const bytes: Uint8Array = assemble(examples()[0]?.source ?? "").bytes;
const summary: string | undefined = explain("mov", "agal")[0]?.summary;
const list: string[] = words();
try {
  reset();
} catch (error) {
  if (error instanceof ShisaError) found.push(...error.diagnostics);
}
console.log(identity, isa, compared, listing, cfg, location, cost, answer.output, found, bytes, summary, list, version());

// @ts-expect-error: there is no such language.
program.translate("cobol");
// @ts-expect-error: there is no such option.
program.listing({ nonsense: true });
// @ts-expect-error: bytes are bytes.
File.open("text");
