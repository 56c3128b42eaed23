/**
 * The pictures of the README, from a real table: `npm run film`. A game against bots is played until the table looks
 * lived in (docs/table.png) and until a hero dies in a dungeon of some length (docs/walk.gif), if possible an opponent's. The film is recorded at calm
 * speed and sped up again, and put together by ffmpeg.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type Page } from "@playwright/test";
import { answer, look, open, sitDown } from "./camera";

// cspell:ignore palettegen paletteuse tpad
const DOCS = "../docs";
/** The longest film that is kept, in milliseconds. */
const LONGEST = 12_000;
/** How much faster than recorded it is shown: calm is 1.7 times slower than normal. */
const FASTER = 1.7;
const MOST_BYTES = 2_000_000;
/** A hero that dies sooner than this, in pictures, has not walked. */
const WALKED = 12;

/** What the large scene shows. */
const scene = (page: Page) =>
  page.evaluate(() => {
    const large = document.querySelector<HTMLElement>('[data-scene="large"]');
    const count = (what: string) => large?.querySelectorAll(what).length ?? 0;
    return {
      away: large?.dataset["testid"] === "visit",
      walks: count(".walker .walk, .walker .hit") > 0,
      falls: count(".walker .fall") > 0,
      rooms: count('[data-testid="room"]'),
    };
  });

interface Frame {
  file: string;
  at: number;
}

/** Pictures of a walk, until nobody walks any more. */
async function walk(page: Page, folder: string): Promise<{ frames: Frame[]; died: boolean }> {
  const frames: Frame[] = [];
  const began = Date.now();
  const clip = { x: 0, y: 44, width: 1180, height: 500 };
  let died = false;
  let still = 0;
  while (Date.now() - began < LONGEST && still < 5) {
    const file = join(folder, `${String(frames.length).padStart(4, "0")}.png`);
    await page.screenshot({ path: file, clip });
    frames.push({ file, at: Date.now() - began });
    const now = await scene(page);
    died ||= now.falls && frames.length > WALKED;
    still = now.walks || now.falls ? 0 : still + 1;
  }
  return { frames, died };
}

/** Puts the film together, as fast as it was on average, and says how large it is. */
function cut(frames: readonly Frame[], folder: string): number {
  const seconds = (frames.at(-1)?.at ?? 1000) / 1000 / FASTER;
  const rate = (frames.length / seconds).toFixed(2);
  const film = join(DOCS, "walk.gif");
  const palette =
    "split[a][b];[a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
  const input = ["-framerate", rate, "-i", join(folder, "%04d.png")];
  // The last picture stays for a moment.
  const filter = `tpad=stop_mode=clone:stop_duration=1.2,fps=16,${palette}`;
  execFileSync("ffmpeg", ["-y", "-loglevel", "error", ...input, "-vf", filter, "-loop", "0", film]);
  return statSync(film).size;
}

test("the table, and a hero's walk", async ({ browser }) => {
  const page = await open(browser, {
    size: "desktop",
    likes: { speed: "calm", dock: true, soundOffered: true },
  });
  await page.setViewportSize({ width: 1180, height: 800 });
  let [still, moving] = [false, false];
  for (let game = 0; game < 8 && !(still && moving); game += 1) {
    await sitDown(page, "Ina", 2);
    for (let over = false; !over && !(still && moving);) {
      const [now, here] = [await look(page), await scene(page)];
      over = now.over;
      if (!moving && here.walks && here.rooms >= 3 && (here.away || game > 1)) {
        const folder = mkdtempSync(join(tmpdir(), "lair-film-"));
        const { frames, died } = await walk(page, folder);
        if (died) {
          const bytes = cut(frames, folder);
          moving = bytes < MOST_BYTES;
          console.log(`walk.gif: ${String(frames.length)} frames, ${String(bytes)} bytes`);
        }
        rmSync(folder, { recursive: true });
      } else if (!still && now.asked && !now.busy && now.builds && now.turn >= 4 && here.rooms >= 4) {
        await page.setViewportSize({ width: 1440, height: 900 });
        // The mouse is in use, not the keys: no numbers on the cards.
        await page.mouse.click(1, 1);
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(DOCS, "table.png") });
        await page.setViewportSize({ width: 1180, height: 800 });
        still = true;
      } else if (now.asked && !now.busy) await answer(page).catch(() => undefined);
      else if (now.busy && (moving || now.phase !== "adventure")) await page.keyboard.press(" ");
      else await page.waitForTimeout(20);
    }
  }
  await page.context().close();
});
