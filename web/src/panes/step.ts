import type { Json } from "shisa";
import { referTo } from "../engine/engine.ts";
import { Cancelled, VerbError } from "../engine/protocol.ts";
import type { Subject } from "../model/state.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import { type Icon, icon } from "../ui/icons.ts";
import { table } from "../ui/table.ts";
import { failure, follow } from "./follow.ts";
import type { Pane } from "./pane.ts";

interface Position {
  readonly step: number;
  readonly lane: number;
  readonly pc: number | null;
  readonly text: string;
  readonly ended: boolean;
}

interface Register {
  readonly register: string;
  readonly bits: string;
  readonly value: string;
}

/** The answer to a command that moves, as far as it is read here. */
interface Moved {
  readonly changed?: readonly { readonly register: string }[];
}

interface LaneValue {
  readonly lane_of_run: number;
  readonly value: string;
  readonly active: boolean;
  readonly killed: boolean;
}

/** The buttons: the commands of `shisa debug`, with their keys. */
const MOVES: readonly { readonly sign: Icon; readonly command: string; readonly title: string; readonly key?: string }[] = [
  { sign: "first", command: "start", title: "First step" },
  { sign: "runBack", command: "reverse", title: "Run backwards to a breakpoint", key: "Shift F5" },
  { sign: "back", command: "back", title: "One step back", key: "Shift F10" },
  { sign: "step", command: "step", title: "One step", key: "F10" },
  { sign: "run", command: "continue", title: "Run to a breakpoint", key: "F5" },
  { sign: "last", command: "end", title: "Last step" },
];

/** Steps through a recorded run in both directions. */
export function stepPane(bench: Workbench): Pane {
  const { engine } = bench;
  const where = h("p", { class: "where", attributes: { "aria-live": "polite" } });
  const registers = h("div");
  const lanes = h("div");
  const answer = h("pre", { class: "answer", tabIndex: 0, attributes: { role: "log", "aria-label": "Answer" } });
  const line = h("input", {
    type: "text", class: "wide", placeholder: "a command, such as why r0, break 3, watch r0; help lists all",
    attributes: { "aria-label": "Command", autocomplete: "off", spellcheck: "false" },
    on: {
      keydown: (event) => {
        if (event.key === "Enter") void command(line.value);
      },
    },
  });
  let counters: readonly number[] = [];
  let subject: Subject | null = null;
  let chosen: string | undefined;
  /** The registers that the last move changed. */
  let changed: ReadonlySet<string> = new Set();

  const query = (text: string) => engine.request(engine.step, "command", text, { topic: text });

  async function command(text: string): Promise<void> {
    try {
      const { output, data } = await query(text);
      answer.textContent = output;
      changed = new Set(((data as unknown as Moved | null)?.changed ?? []).map(({ register }) => register));
      line.value = "";
      await draw();
    } catch (error) {
      answer.textContent = errorText(error);
    }
  }

  async function draw(): Promise<void> {
    const position = (await query("where")).data as unknown as Position;
    where.textContent = position.ended
      ? `step ${position.step}, lane ${position.lane}: the wave has ended`
      : `step ${position.step}, lane ${position.lane}: ${position.text}`;
    const instruction = position.pc === null ? -1 : counters.indexOf(position.pc);
    if (instruction >= 0) bench.point({ instruction, from: "step", reveal: true });
    const list = (await query("registers")).data as unknown as readonly Register[];
    registers.replaceChildren(table(["register", "bits", "value"], list.map(({ register, bits, value }) => ({
      cells: [register, h("code", {}, bits), changed.has(register) ? h("strong", { class: "changed" }, value) : value],
      act: () => {
        chosen = register;
        void drawLanes();
      },
      chosen: register === chosen,
    }))));
    chosen ??= list[0]?.register;
    await drawLanes();
  }

  async function drawLanes(): Promise<void> {
    if (chosen === undefined) return;
    const register = chosen;
    const data = (await query(`lanes ${register}`)).data as { lanes?: Json } | null;
    const values = (data?.lanes ?? []) as unknown as readonly LaneValue[];
    lanes.replaceChildren(
      h("h3", {}, `${register} in all lanes `, button("Why?", () => void command(`why ${register}`), { class: "link" })),
      table(["lane", "value", "state"], values.map(({ lane_of_run, value, active, killed }) => ({
        cells: [String(lane_of_run), value, killed ? "killed" : active ? "active" : "inactive"],
        act: () => void command(`lane ${lane_of_run}`),
      }))));
  }

  const buttons = MOVES.map(({ sign, command: text, title, key }) =>
    h("button", {
      type: "button", class: "icon", title: key === undefined ? title : `${title} (${key})`, attributes: { "aria-label": title },
      on: { click: () => void command(text) },
    }, icon(sign)));
  const restart = button("Restart", () => pane.refresh(), { title: "Record the run again, with the input of the pane Run" });

  const pane = follow<readonly number[]>({
    bench,
    tools: [...buttons, restart, line],
    content: h("div", { class: "scroll padded" }, where, h("div", { class: "split" }, h("div", {}, answer, registers), lanes)),
    async request(next) {
      subject = next;
      const input = await bench.input(next);
      return (await engine.request(engine.step, "debug", { ...referTo(next), input }, { docs: [next.doc] })).counters;
    },
    show(next) {
      counters = next;
      chosen = undefined;
      answer.textContent = "";
      draw().catch((error: unknown) => {
        if (!(error instanceof Cancelled)) where.replaceChildren(...failure(bench, error));
      });
    },
  });
  pane.element.addEventListener("keydown", (event) => {
    const pressed = `${event.shiftKey ? "Shift " : ""}${event.key}`;
    const text = MOVES.find(({ key }) => key === pressed)?.command;
    if (text === undefined || subject === null) return;
    event.preventDefault();
    void command(text);
  });
  return pane;
}

function errorText(error: unknown): string {
  if (error instanceof VerbError && error.diagnostics.length > 0) {
    return error.diagnostics.flatMap(({ message, notes, help }) => [message, ...notes, ...help]).join("\n");
  }
  return error instanceof Error ? error.message : String(error);
}
