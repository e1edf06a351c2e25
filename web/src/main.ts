import "./style/theme.css";
import "./style/controls.css";
import "./style/shell.css";
import "./style/layout.css";
import "./style/panes.css";
import "./style/editor.css";
import { Engine } from "./engine/engine.ts";
import { compileModule } from "./engine/module.ts";
import { Workbench } from "./model/workbench.ts";
import { jobEvents } from "./shell/jobs.ts";
import { buildShell } from "./shell/shell.ts";

const bench = new Workbench((store) => new Engine(compileModule(), jobEvents(store)));
bench.engine.edit.warm();
document.body.append(buildShell(bench));

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("./offline.js").catch(() => bench.say("this browser does not store the page for offline use"));
}
