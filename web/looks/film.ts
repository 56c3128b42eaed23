/**
 * The pictures of the README, from a real table: `npm run film`. A game against bots is played until the table looks
 * lived in (docs/table.png) and until a hero dies in an opponent's dungeon (docs/walk.gif). The film is recorded at calm
 * speed and sped up again, and put together by ffmpeg.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type Page } from "@playwright/test";
import { answer, look, open, sitDown } from "./camera";

const DOCS = "../docs";
/** The longest film that is kept, in milliseconds. */
const LONGEST = 12_000;
/** How much faster than recorded it is shown: calm is 1.7 times slower than normal. */
const FASTER = 1.7;
const MOST_BYTES = 2_000_000;

/** What the large scene shows. */
const scene = (page: Page) =>
  page.evaluate(() => {
    const visit = document.querySelector<HTMLElement>('[data-testid="visit"]');
    return {
      away: visit !== null,
      falls: visit?.querySelector(".walker .fall") !== null && visit !== null,
      rooms: document.querySelectorAll('[data-testid="own"] [data-testid="room"]').length,
      seen: visit?.querySelectorAll('[data-testid="room"]').length ?? 0,
    };
  });

interface Frame {
  file: string;
  at: number;
}

/** Pictures of one visit, from the pan there to the pan home. */
async function visit(page: Page, folder: string): Promise<{ frames: Frame[]; died: boolean }> {
  const frames: Frame[] = [];
  const began = Date.now();
  const clip = { x: 0, y: 44, width: 1180, height: 500 };
  let died = false;
  let home = 0;
  while (Date.now() - began < LONGEST && home < 4) {
    const file = join(folder, `${String(frames.length).padStart(4, "0")}.png`);
    await page.screenshot({ path: file, clip });
    frames.push({ file, at: Date.now() - began });
    const now = await scene(page);
    died ||= now.falls;
    home = now.away ? 0 : home + 1;
  }
  return { frames, died };
}

function cut(frames: readonly Frame[], folder: string): number {
  const list = frames.flatMap(({ file, at }, i) => {
    const next = frames[i + 1]?.at ?? at + 900;
    return [`file '${file}'`, `duration ${((next - at) / 1000 / FASTER).toFixed(3)}`];
  });
  const script = join(folder, "list.txt");
  execFileSync("sh", ["-c", 'printf "%s\\n" "$@" > "$0"', script, ...list]);
  const film = join(DOCS, "walk.gif");
  const colours =
    "split[a][b];[a]palettegen=max_colors=48:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle";
  const filter = `fps=14,scale=885:-1:flags=neighbor,${colours}`;
  const input = ["-f", "concat", "-safe", "0", "-i", script];
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
  for (let game = 0; game < 6 && !(still && moving); game += 1) {
    await sitDown(page, "Ina", 2);
    for (let i = 0; i < 4000 && !(still && moving); i += 1) {
      const [now, here] = [await look(page), await scene(page)];
      if (now.over) break;
      if (!moving && here.away && here.seen >= 3) {
        const folder = mkdtempSync(join(tmpdir(), "lair-film-"));
        const { frames, died } = await visit(page, folder);
        if (died) {
          const bytes = cut(frames, folder);
          moving = bytes < MOST_BYTES;
          console.log(`walk.gif: ${String(frames.length)} frames, ${String(bytes)} bytes`);
        }
        rmSync(folder, { recursive: true });
      }
      if (!still && now.asked && !now.busy && now.builds && now.turn >= 5 && here.rooms >= 4) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.mouse.move(1, 1);
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(DOCS, "table.png") });
        await page.setViewportSize({ width: 1180, height: 800 });
        still = true;
      }
      if (now.asked && !now.busy) await answer(page).catch(() => undefined);
      else await page.waitForTimeout(20);
    }
  }
  await page.context().close();
});
