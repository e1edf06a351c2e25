import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** The browser needs no network of its own, and as root it has no sandbox. */
const ARGUMENTS = [
  "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
  "--no-default-browser-check", "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--no-pings",
];
const SOFTWARE_GPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", "--use-vulkan=swiftshader"];

const PORT = 4173;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const firefox = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
const hasFirefox = existsSync(firefox);
if (!hasFirefox && process.argv.includes("--project=firefox")) console.log(`skipped: there is no Firefox at ${firefox}`);

/** A page that is served already; by default the tests serve `dist`. */
const served = process.env.SHISA_PAGE;

export default defineConfig({
  testDir: "tests",
  workers: 1,
  fullyParallel: false,
  timeout: 60_000,
  reporter: [["list"]],
  use: {
    baseURL: served ?? `http://localhost:${PORT}/`,
    viewport: { width: 1440, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
    launchOptions: { executablePath, args: [...ARGUMENTS, "--disable-gpu"] },
  },
  ...(served === undefined && !process.argv.includes("--project=unit")
    ? { webServer: { command: `npx vite preview --port ${PORT} --strictPort`, port: PORT, reuseExistingServer: false } }
    : {}),
  projects: [
    { name: "unit", testDir: "tests/unit" },
    { name: "page", testDir: "tests/page" },
    {
      // The Firefox that the system has, by the protocol WebDriver BiDi.
      name: "firefox", testDir: "tests/page",
      // Times are read from recordings of Chromium.
      testIgnore: hasFirefox ? "speed.spec.ts" : "**",
      // It compiles the module anew for each test, which takes seconds.
      timeout: 180_000, expect: { timeout: 30_000 },
      use: { browserName: "firefox", channel: "moz-firefox", permissions: [], launchOptions: { executablePath: firefox, args: [] } },
    },
    {
      name: "long", testDir: "tests/long", timeout: 1_800_000,
      use: { launchOptions: { executablePath, args: [...ARGUMENTS, ...SOFTWARE_GPU] } },
    },
  ],
});
