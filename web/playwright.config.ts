import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

/** The real server with the real client in it, as `cargo test` has built them; on a data folder of its own. */
const port = Number(process.env.LAIR_PORT ?? 8181);
const lair = process.env.LAIR_BIN ?? "../target/debug/lair";
const data = join(tmpdir(), `lair-e2e-${port}`);
// What an earlier run left. Workers read this file too, when the server is at work already.
if (process.env.TEST_WORKER_INDEX === undefined) rmSync(data, { recursive: true, force: true });

export default defineConfig({
  timeout: 180_000,
  expect: { timeout: 15_000 },
  workers: 1,
  // On a busy machine a browser may stall; what fails twice is wrong. The report names what needed a second try.
  retries: process.env.CI ? 1 : 0,
  reporter: [["list"]],
  outputDir: join(tmpdir(), "lair-e2e-results"),
  // What must pass; and what is looked at: pictures of everything, and how long frames take.
  projects: [
    { name: "e2e", testDir: "e2e" },
    { name: "shots", testDir: "looks", testMatch: "shots*.ts", timeout: 600_000 },
    { name: "frames", testDir: "looks", testMatch: "frames.ts", timeout: 600_000 },
    { name: "film", testDir: "looks", testMatch: "film.ts", timeout: 900_000 },
    { name: "moments", testDir: "looks", testMatch: "moments.ts", timeout: 600_000 },
    { name: "rhythm", testDir: "looks", testMatch: "rhythm.ts" },
  ],
  use: {
    baseURL: process.env.LAIR_URL ?? `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    screenshot: "only-on-failure",
    actionTimeout: 15_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // `LAIR_URL` names one that runs already: `npm run dev`, say.
  ...(process.env.LAIR_URL
    ? {}
    : {
        webServer: {
          command: `${lair} serve --listen 127.0.0.1:${port} --data ${data}`,
          url: `http://127.0.0.1:${port}/healthz`,
          reuseExistingServer: false,
          timeout: 60_000,
        },
      }),
});
