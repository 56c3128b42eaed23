// Pictures of the running client, for looking at: `npm run dev`, then `npm run shots -- [#section ...]`.
// They go to shots/, one per section and width.
import { mkdirSync } from "node:fs";
import { chromium } from "@playwright/test";

const base = process.env.SHOTS_URL ?? "http://127.0.0.1:5173";
const sections = process.argv.slice(2);
const browser = await chromium.launch({
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
});
mkdirSync("shots", { recursive: true });
for (const width of (process.env.SHOTS_WIDTHS ?? "1440,390").split(",").map(Number)) {
  const page = await browser.newPage({ viewport: { width, height: width > 600 ? 900 : 844 } });
  page.on("console", (line) => line.type() === "error" && console.error(line.text()));
  page.on("pageerror", (error) => console.error(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith("data:"))
      console.error(`foreign request: ${request.url()}`);
  });
  await page.goto(`${base}/#/`);
  await page.waitForSelector("h1");
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `shots/start-${width}.png` });
  await page.goto(`${base}/#/gallery`);
  await page.waitForSelector("#people", { timeout: 8000 });
  await page.waitForTimeout(1200);
  const cut = await page.$$eval(".card .text", (fields) =>
    fields
      .filter((field) => field.scrollHeight > field.clientHeight + 1)
      .map((field) => field.closest(".card")?.querySelector(".name")?.textContent),
  );
  if (cut.length) console.error(`text cut off at ${width}: ${cut.join(", ")}`);
  for (const section of sections.length
    ? sections
    : ["#dungeon", "#bosses", "#heroes", "#marks", "#cards", "#strangers"]) {
    await page.locator(section).screenshot({ path: `shots/${section.slice(1)}-${width}.png` });
  }
  await page.close();
}
await browser.close();
