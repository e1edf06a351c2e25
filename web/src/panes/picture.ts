import type { PreviewOptions, Reflection } from "shisa";
import { referTo } from "../engine/engine.ts";
import { Cancelled, type Drawn } from "../engine/protocol.ts";
import type { Subject } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { type Constant, constantsOf } from "../picture/constants.ts";
import { compare } from "../picture/difference.ts";
import { Gpu } from "../picture/gpu.ts";
import { pattern } from "../picture/pattern.ts";
import { check, choice, h } from "../ui/dom.ts";
import { form } from "../ui/form.ts";
import { failure, follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

type Shown = "colour" | "cost" | "divergence" | "nan";

const MAPS: readonly { readonly value: Shown; readonly text: string }[] = [
  { value: "colour", text: "Colour" },
  { value: "cost", text: "Cost" },
  { value: "divergence", text: "Divergence" },
  { value: "nan", text: "NaN" },
];

const SIZES = ["64", "128", "256", "512"] as const;

/** The code of the translation, with what binds it. */
interface Prepared {
  readonly code: string;
  readonly reflection: Reflection;
}

/** A fragment program over a rectangle: in software, and on the browser's GPU with the largest difference. */
export function picturePane(bench: Workbench): Pane {
  const { engine } = bench;
  const software = figure("Software");
  const hardware = figure("WebGPU");
  const fields = h("div", { class: "constants" });
  const trouble = h("div", { class: "message" });
  const content = h("div", { class: "scroll padded" }, h("div", { class: "figures" }, software.element, hardware.element), trouble, fields);
  let size = 256;
  let shown: Shown = "colour";
  let isMoving = false;
  let subject: Subject | null = null;
  let prepared: Prepared | null = null;
  let constants: Constant[] = [];
  let gpu: Promise<Gpu | undefined> | undefined;
  let isDrawing = false;
  let isStale = false;

  const pane = follow<Prepared | null>({
    bench,
    content,
    tools: [
      choice("Size", SIZES.map((value) => ({ value, text: `${value} × ${value}` })), "256", (value) => {
        size = Number(value);
        void draw();
      }, "quiet"),
      choice("Show", MAPS, shown, (value) => {
        shown = value;
        void draw();
      }, "quiet"),
      check("Move", isMoving, (value) => {
        isMoving = value;
        void draw();
      }),
    ],
    async request(next, listing) {
      // A program that states another stage has no pixels.
      if (listing.stage !== null && listing.stage !== "fragment") return null;
      const argument = { ...referTo(next), to: "wgsl" as const, options: {} };
      const { text, reflection } = await engine.request(engine.work, "translate", argument, { docs: [next.doc], topic: "picture" });
      subject = next;
      return { code: text ?? "", reflection };
    },
    show(next) {
      prepared = next;
      content.classList.toggle("none", next === null);
      if (next === null) {
        trouble.replaceChildren(h("p", { class: "muted" }, "Only fragment programs have pictures."));
        return;
      }
      const before = new Map(constants.map(({ name, values }) => [name, values]));
      constants = constantsOf(next.reflection).map((each) => ({ ...each, values: before.get(each.name) ?? each.values }));
      drawFields();
      void draw();
    },
  });

  function drawFields(): void {
    const value = Object.fromEntries(constants.map(({ name, values }) => [name, [...values]]));
    fields.replaceChildren(...constants.map(({ name }) => vector(name, value[name] ?? [])));
  }

  function vector(name: string, values: number[]): HTMLElement {
    return h("div", { class: "field vector" }, h("span", {}, name), ...values.map((number, index) =>
      form("xyzw"[index] ?? "", number, (next) => {
        values[index] = Number(next);
        constants = constants.map((each) => (each.name === name ? { ...each, values: [...values] } : each));
        void draw();
      })));
  }

  /** Draws both pictures; a request while one is drawn is done afterwards. */
  async function draw(): Promise<void> {
    isStale = true;
    if (isDrawing) return;
    isDrawing = true;
    while (isStale && subject !== null && prepared !== null) {
      isStale = false;
      try {
        await drawOnce(subject, prepared);
      } catch (error) {
        if (!(error instanceof Cancelled)) trouble.replaceChildren(...failure(bench, error));
      }
    }
    isDrawing = false;
    if (isMoving && content.isConnected && prepared !== null) requestAnimationFrame(() => void draw());
  }

  async function drawOnce(of: Subject, { code, reflection }: Prepared): Promise<void> {
    const now = moved(constants, isMoving);
    const options: PreviewOptions = {
      width: size, height: size, maps: shown !== "colour",
      constants: Object.fromEntries(now.map(({ name, values }) => [name, values.join(",")])),
      textures: Object.fromEntries(reflection.textures.map(({ name }) => [name, pattern()])),
    };
    const begun = performance.now();
    const drawn = await engine.request(engine.work, "preview", { ...referTo(of), options }, { docs: [of.doc] });
    trouble.replaceChildren();
    paint(software, drawn, (shown === "colour" ? null : drawn[shown]) ?? drawn.rgba);
    software.say(`${drawn.executed} instructions, ${(performance.now() - begun).toFixed(0)} ms`);
    await drawHardware({ code, reflection, constants: now, width: size, height: size }, drawn);
  }

  async function drawHardware(scene: Parameters<Gpu["draw"]>[0], drawn: Drawn): Promise<void> {
    gpu ??= Gpu.open().catch(() => undefined);
    const device = await gpu;
    if (device === undefined) {
      hardware.say("this browser has no WebGPU");
      return;
    }
    try {
      const rgba = await device.draw(scene);
      const { largest, pixels } = compare(drawn.rgba, rgba);
      // Pixels without a colour are those that the software picture leaves transparent.
      for (let at = 3; at < rgba.length; at += 4) rgba[at] = drawn.rgba[at] ?? 255;
      paint(hardware, drawn, rgba);
      hardware.say(`largest difference ${largest} of 255, ${pixels} pixels differ`);
      hardware.element.dataset.difference = String(largest);
    } catch (error) {
      hardware.say(error instanceof Error ? error.message : String(error));
    }
  }

  return pane;
}

/** The constants, with the first component of the first one in motion. */
function moved(constants: readonly Constant[], isMoving: boolean): readonly Constant[] {
  if (!isMoving) return constants;
  const phase = 0.5 + 0.5 * Math.sin(performance.now() / 1000);
  return constants.map((constant, index) => (index === 0 ? { ...constant, values: [phase, ...constant.values.slice(1)] } : constant));
}

interface Figure {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  say(text: string): void;
}

function figure(title: string): Figure {
  const canvas = h("canvas", { width: 1, height: 1, attributes: { role: "img", "aria-label": `Picture: ${title}` } });
  const note = h("span", { class: "muted" });
  const element = h("figure", { data: { figure: title } }, canvas, h("figcaption", {}, h("strong", {}, title), " ", note));
  return { element, canvas, say: (text) => (note.textContent = text) };
}

function paint({ canvas, element }: Figure, { width, height }: Drawn, rgba: Uint8Array): void {
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(rgba), width, height), 0, 0);
  element.dataset.drawn = "";
}
