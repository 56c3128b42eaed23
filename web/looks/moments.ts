/**
 * Collects moments of real games for the unit tests: between them they have every kind of answer and as many kinds of
 * events as three games bring up. Plays over the network without a page: `npm run moments`.
 */
import { writeFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import {
  PROTOCOL,
  type Card,
  type CardText,
  type Class,
  type ServerMsg,
  type Table,
  type Update,
} from "../src/gen/wire";

const GAMES = 12;
const FILE = "test/fixtures/moments.json";

interface Moment {
  before: Table;
  update: Update;
}
interface Played {
  cards: CardText[];
  classes: Class[];
  moments: Moment[];
}

/** One game against bots, answered at random, as the server told it. */
async function playGame(page: Page, players: number): Promise<Played> {
  const settings = { deck: "mash-up", players, window_ms: 0 };
  const bots = Array.from({ length: players - 1 }, () => "kobold");
  const made = await page.request.post("/api/tables", { data: { settings, bots, start: true } });
  expect(made.ok(), await made.text()).toBe(true);
  const { id } = (await made.json()) as { id: string };
  return page.evaluate(
    async ({ table, protocol }) => {
      const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/ws`);
      const played: Played = { cards: [], classes: [], moments: [] };
      let before: Table | undefined;
      await new Promise<void>((done, fail) => {
        socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: protocol }));
        socket.onerror = () => fail(new Error("the connection failed"));
        socket.onmessage = ({ data }: MessageEvent<string>) => {
          const message = JSON.parse(data) as ServerMsg;
          if (message.type === "bye" || message.type === "refused") fail(new Error(message.words));
          if (message.type === "cards") {
            played.cards = message.start.cards;
            played.classes = message.start.classes;
          }
          if (message.type !== "update") return;
          if (before && !message.fresh) played.moments.push({ before, update: message });
          before = message.view;
          if (message.over) return done();
          if (!message.ask) return;
          const { legal } = message.ask;
          // Passing less makes livelier games.
          const from = legal.length > 1 && legal[0]?.kind === "pass" && Math.random() < 0.8 ? 1 : 0;
          const index = from + Math.floor(Math.random() * (legal.length - from));
          socket.send(JSON.stringify({ type: "act", seq: message.seq, index }));
        };
      });
      socket.close();
      return played;
    },
    { table: id, protocol: PROTOCOL },
  );
}

/** What a moment shows that may be missing elsewhere. */
function shows({ update }: Moment): string[] {
  const picks = ["card", "player", "class", "option"] as const;
  return [
    ...update.events.map(({ kind }) => kind),
    ...(update.events.filter(({ kind }) => kind === "reveals").length > 1 ? ["several reveals"] : []),
    ...(update.ask?.legal ?? []).map((choice) =>
      choice.kind === "pick" ? `pick ${picks.filter((key) => key in choice).join()}` : choice.kind,
    ),
  ];
}

/** The faces of all cards in a piece of JSON. */
function facesIn(value: unknown, found = new Set<number>()): Set<number> {
  if (typeof value !== "object" || value === null) return found;
  const { face } = value as Partial<Card>;
  if (face !== undefined) found.add(face);
  Object.values(value).forEach((part) => facesIn(part, found));
  return found;
}

test("moments of real games", async ({ page }) => {
  await page.goto("/");
  await page.request.post("/api/guest", { data: { name: "Anna" } });
  const seen = new Set<string>();
  const moments: Moment[] = [];
  const cards = new Map<number, CardText>();
  let classes: Class[] = [];
  for (let game = 0; game < GAMES; game += 1) {
    const played = await playGame(page, game < 3 ? 2 : 3);
    classes = played.classes;
    played.cards.forEach((card) => cards.set(card.face, card));
    for (const moment of played.moments) {
      const news = shows(moment).filter((one) => !seen.has(one));
      if (news.length === 0) continue;
      news.forEach((one) => seen.add(one));
      moments.push(moment);
    }
  }
  const used = facesIn(moments);
  const printed = [...cards.values()].filter(({ face }) => used.has(face));
  writeFileSync(FILE, `${JSON.stringify({ classes, cards: printed, moments })}\n`);
  console.log(`${moments.length} moments with ${[...seen].sort().join(", ")}`);
});
