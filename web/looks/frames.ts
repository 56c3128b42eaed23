/**
 * How long the page keeps the browser busy: `npm run frames`. It prints and does not judge, as a figure depends on the
 * machine. What counts is work on the main thread between two frames, read from a trace of the browser: time in which
 * the thread was not scheduled at all is not in it.
 */
import { expect, test, type CDPSession, type Page } from "@playwright/test";
import { film, open, sitDown, type Moment } from "./camera";

/** How many of the longest pieces of work are told with what they consist of. */
const SHOWN = Number(process.env.FRAMES_SHOW ?? 3);

interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  tdur?: number;
  tid: number;
  pid: number;
  args?: { name?: string; data?: { type?: string; functionName?: string; url?: string } };
}

/** Records what the browser does, and says how long each piece of work of the page's main thread took, in ms. */
async function traced(
  page: Page,
  act: () => Promise<void>,
): Promise<{ wall: number; cpu: number; why: string }[]> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  cdp.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await cdp.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: [
        "toplevel",
        "devtools.timeline",
        "disabled-by-default-devtools.timeline",
        "__metadata",
      ],
    },
  });
  await act();
  const done = new Promise<void>((resolve) => cdp.once("Tracing.tracingComplete", () => resolve()));
  await cdp.send("Tracing.end");
  await done;
  await cdp.detach();
  const mains = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${String(pid)} ${String(tid)}`),
  );
  const ours = events.filter(({ pid, tid, ph }) => ph === "X" && mains.has(`${String(pid)} ${String(tid)}`));
  const tasks = ours.filter(({ name }) => name === "ThreadControllerImpl::RunTask");
  const parts = ours.filter(({ name }) => !/RunTask/.test(name)).sort((a, b) => (b.dur ?? 0) - (a.dur ?? 0));
  const why = (task: TraceEvent) =>
    parts
      .filter(
        ({ tid, pid, ts }) =>
          tid === task.tid && pid === task.pid && ts >= task.ts && ts < task.ts + (task.dur ?? 0),
      )
      .slice(0, 4)
      .map(({ name, dur, args }) => {
        const called = args?.data?.functionName ? `(${args.data.functionName})` : "";
        return `${name}${called} ${((dur ?? 0) / 1000).toFixed(0)}`;
      })
      .join(", ");
  const work = ({ tdur, dur }: TraceEvent) => (tdur ?? dur ?? 0) / 1000;
  return tasks
    .sort((a, b) => work(b) - work(a))
    .map((task, rank) => ({
      wall: (task.dur ?? 0) / 1000,
      cpu: work(task),
      why: rank < SHOWN ? why(task) : "",
    }));
}

function report(what: string, tasks: readonly { wall: number; cpu: number; why: string }[]): void {
  const over = tasks.filter(({ cpu }) => cpu > 50).length;
  const [worst] = tasks;
  console.log(
    `${what}: ${String(tasks.length)} tasks, worst ${worst?.cpu.toFixed(1) ?? "?"} ms of work ` +
      `(${worst?.wall.toFixed(1) ?? "?"} ms by the clock), ${String(over)} above 50 ms`,
  );
  for (const { cpu, wall, why } of tasks.slice(0, SHOWN)) {
    console.log(`    ${cpu.toFixed(1)} ms (${wall.toFixed(1)}): ${why}`);
  }
}

/** Frame to frame, as the page itself sees it. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    Object.assign(window, { frames });
  });
}
async function frames(page: Page): Promise<string> {
  const all = await page.evaluate(() =>
    (window as unknown as { frames: number[] }).frames.sort((a, b) => a - b),
  );
  const at = (share: number) =>
    (all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0).toFixed(1);
  const late = all.filter((ms) => ms > 50).length;
  return `${String(all.length)} frames, ${String(late)} above 50 ms: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms`;
}

const whole = (now: Moment) => now.over || now.turn >= 4;

for (const size of ["desktop", "phone"] as const) {
  for (const players of [2, 4]) {
    test(`three turns with ${String(players)} players, ${size}`, async ({ browser }) => {
      const page = await open(browser, { size, likes: { speed: "normal", dock: true } });
      await sitDown(page, "Damp Lich", players);
      await watchFrames(page);
      const tasks = await traced(page, () => film(page, { there: whole }, async () => undefined));
      report(`table of ${String(players)}, ${size}`, tasks);
      console.log(`    ${await frames(page)}`);
      await page.context().close();
    });
  }
}

test("first view", async ({ browser }) => {
  for (const size of ["desktop", "phone"] as const) {
    const seen: { painted: number; usable: number; bytes: number }[] = [];
    for (let i = 0; i < 5; i += 1) {
      const page = await open(browser, { size });
      await page.addInitScript(() => {
        const look = () => {
          if (document.querySelector("form button[type=submit]:enabled")) performance.mark("usable");
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await page.goto("/");
      const button = page.getByRole("button", { name: "Play now" });
      await expect(button).toBeEnabled();
      const found = await page.evaluate(() => {
        const painted =
          performance.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint")
            ?.startTime ?? 0;
        const bytes = [
          ...(performance.getEntriesByType("navigation") as PerformanceResourceTiming[]),
          ...(performance.getEntriesByType("resource") as PerformanceResourceTiming[]),
        ].reduce((sum, { transferSize }) => sum + transferSize, 0);
        return { painted, usable: performance.getEntriesByName("usable")[0]?.startTime ?? 0, bytes };
      });
      seen.push(found);
      await page.context().close();
    }
    const middle = (pick: (one: (typeof seen)[number]) => number) =>
      String(Math.round(seen.map(pick).sort((a, b) => a - b)[2] ?? 0));
    console.log(
      `first view, ${size}, median of 5: painted after ${middle((one) => one.painted)} ms, ` +
        `usable after ${middle((one) => one.usable)} ms, ${middle((one) => one.bytes)} bytes`,
    );
  }
});
