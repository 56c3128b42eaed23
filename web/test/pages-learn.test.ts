import { describe, expect, test, vi } from "vitest";
import { TableSession } from "../src/net/session.svelte";
import type { Course } from "../src/pages/learn/course";
import { COURSES, courseOf } from "../src/pages/learn/courses";
import { merged, placed, type Box } from "../src/pages/learn/spotlight";
import { Teacher } from "../src/pages/learn/teacher";
import type { ServerMsg, Update } from "../src/gen/wire";

const courses = await Promise.all(COURSES.map(courseOf));
const first = courses[0] as Course;

describe.each(courses.map((course, i) => [COURSES[i], course] as const))("the course %s", (_, course) => {
  const all = course.points;

  test("teach every lesson once, in order", () => {
    expect(new Set(course.lessons).size).toBe(course.lessons.length);
    expect(course.learnedBefore(0)).toEqual([]);
    expect(course.learnedBefore(course.length)).toEqual(course.lessons);
  });

  test("show every event of the game once, and end each chapter with all that happened", () => {
    for (const [chapter, { moments }] of course.game.chapters.entries()) {
      const told = all.flatMap((point, at) => (point.chapter === chapter ? course.updateAt(at).events : []));
      // A chapter begins with the table as it is.
      expect(told).toEqual(moments.slice(1).flatMap(({ update }) => update.events));
      const last = all.reduce((found, point, at) => (point.chapter === chapter ? at : found), 0);
      expect(course.updateAt(last).view).toEqual(moments.at(-1)?.update.view);
    }
  });

  test("ask exactly where there is something to do, and then for one thing", () => {
    all.forEach((point, at) => {
      const { ask } = course.updateAt(at);
      expect(ask?.legal.length, point.key).toBe(point.act ? 1 : undefined);
      if (point.act) expect(course.previewAt(at)?.seq).toBe(at + 1);
    });
  });
});

describe("the first course", () => {
  const [course, all] = [first, first.points];

  test("stops where the thing has just happened", () => {
    const at = (key: string) => all.findIndex((point) => point.key === key);
    const lured = course.updateAt(at("lure"));
    expect(lured.events.at(-1)?.kind).toBe("lured");
    expect(lured.view.players[0]?.entrance).toHaveLength(1);
    const wound = course.updateAt(at("wound"));
    expect(wound.events.at(-1)?.kind).toBe("wounds");
    expect(wound.view.players[1]?.wounds).toBe(1);
    expect(course.updateAt(at("kill")).view.players[0]?.souls).toBe(1);
    expect(course.updateAt(at("level")).events.at(-1)?.kind).toBe("levels_up");
    expect(course.updateAt(at("win")).view.players[0]?.souls).toBe(10);
  });
});

describe("the teacher", () => {
  function lesson(from: number) {
    const heard: ServerMsg[] = [];
    const reached: number[] = [];
    const teacher = new Teacher(
      first,
      from,
      (at) => reached.push(at),
      () => reached.push(-1),
    );
    teacher.onmessage = ({ data }) => heard.push(JSON.parse(String(data)) as ServerMsg);
    const say = (message: unknown) => teacher.send(JSON.stringify(message));
    const update = () => heard.filter(({ type }) => type === "update").at(-1) as Update | undefined;
    return { teacher, heard, reached, say, update };
  }

  test("waits: a tap moves on only where nothing is asked, a move only where it is", () => {
    const { teacher, reached, say } = lesson(0);
    say({ type: "hello" });
    say({ type: "act", seq: 1, index: 0 });
    expect(reached).toEqual([0]);
    teacher.next();
    teacher.next();
    expect(reached).toEqual([0, 1]);
    say({ type: "act", seq: 1, index: 0 });
    expect(reached).toEqual([0, 1]);
    say({ type: "act", seq: 2, index: 0 });
    expect(reached).toEqual([0, 1, 2]);
  });

  test("takes up the game at any point, with the table as it is there", () => {
    first.points.forEach((point, at) => {
      const { say, heard, update } = lesson(at);
      say({ type: "hello" });
      expect(heard.map(({ type }) => type)).toEqual(["welcome", "cards", "update"]);
      expect(update()).toMatchObject({ fresh: true, seq: at + 1, events: [] });
      expect(update()?.view).toEqual(first.updateAt(at).view);
      expect(point).toBe(first.pointAt(at));
    });
  });

  test("is there however long somebody reads", async () => {
    vi.useFakeTimers();
    const teacher = new Teacher(
      first,
      1,
      () => undefined,
      () => undefined,
    );
    const session = new TableSession("tutorial", () => teacher);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(session.line).toBe("open");
    session.close();
    vi.useRealTimers();
  });
});

describe("the words beside the light", () => {
  const size = { width: 374, height: 230 };
  const clear = (at: { left: number; top: number }, box: Box) =>
    at.left + size.width <= box.left ||
    at.left >= box.left + box.width ||
    at.top + size.height <= box.top ||
    at.top >= box.top + box.height;

  test("cover nothing that is lit and stay on the screen, on a phone too", () => {
    for (const screen of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      for (let top = 0; top < screen.height - 100; top += 20) {
        for (let left = 0; left < screen.width - 120; left += 30) {
          const box = { left, top, width: 120, height: 100 };
          const at = placed([box], size, screen);
          expect(clear(at, box), JSON.stringify({ box, at })).toBe(true);
          expect(at.left).toBeGreaterThanOrEqual(0);
          expect(at.left + size.width).toBeLessThanOrEqual(screen.width);
          expect(at.top + size.height).toBeLessThanOrEqual(screen.height);
        }
      }
    }
  });

  test("boxes that touch are one", () => {
    const box = (left: number, top: number): Box => ({ left, top, width: 10, height: 10 });
    expect(merged([box(0, 0), box(40, 0), box(0, 11)])).toEqual([
      box(40, 0),
      { left: 0, top: 0, width: 10, height: 21 },
    ]);
  });
});
