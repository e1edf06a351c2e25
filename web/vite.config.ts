import { defineConfig } from "vite";
import { help } from "./offline/help.ts";
import { offline } from "./offline/plugin.ts";

export default defineConfig({
  // The page works below any path of a server.
  base: "./",
  build: {
    target: "es2023",
    // The Content-Security-Policy allows no scripts and fonts as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  // The package is a link to a folder outside of this one.
  server: { fs: { allow: [".."] } },
  optimizeDeps: { exclude: ["shisa"] },
  plugins: [help(), offline()],
});
