import { expect, test, type Page } from "@playwright/test";
import type { Card, CardText, GameEvent, Hero, ServerMsg, Table, Update } from "../src/gen/wire";
import { answerByMouse, inAHurry, nextQuestion, playNow, watchErrors } from "./table";

/**
 * A table at the question where to build, and a way to show it a hero's walk through the opponent's dungeon. The walk is
 * made up, so that it does not depend on the deal; the page draws what it is told.
 */
async function table(page: Page): Promise<() => void> {
  let cards: CardText[] = [];
  let last: Update | undefined;
  let send: (message: unknown) => void = () => undefined;
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    send = (message) => socket.send(JSON.stringify(message));
    server.onMessage((data) => {
      const message = JSON.parse(String(data)) as ServerMsg;
      if (message.type === "cards") cards = message.start.cards;
      if (message.type === "update") last = message;
      socket.send(data);
    });
  });
  await playNow(page);
  const mayBuild = page.getByText("Pick a room, then a place for it");
  for (let n = 0; n < 5 && (await nextQuestion(page)) === "asked" && !(await mayBuild.isVisible()); n += 1) {
    const seq = await page.getByTestId("prompt").getAttribute("data-seq");
    await answerByMouse(page, 2);
    await expect(page.getByTestId("prompt")).not.toHaveAttribute("data-seq", seq ?? "");
  }
  await expect(mayBuild).toBeVisible();
  await page.getByTestId("menu").click();
  await page.getByRole("radio", { name: "Calm" }).check();
  await page.keyboard.press("Escape");
  return () => {
    if (!last) throw new Error("no update yet");
    const [room, hero] = (["room", "hero"] as const).map((kind, i): Card => {
      const face = cards.find((card) => card.kind === kind)?.face;
      return { id: 9000 + i, kind, face };
    }) as [Card, Card];
    const at = (inside: Hero[], entrance: Hero[]): Table => {
      const view = last?.view as Table;
      const dungeon = [{ card: room, damage: 1, facedown: false, deactivated: false, beneath: [] }];
      const change = (player: Table["players"][number]) =>
        player.seat === view.seat ? player : { ...player, dungeon, inside, entrance };
      return { ...view, players: view.players.map(change) };
    };
    const walker: Hero = { card: hero, health: 99, damage: 0 };
    const where = { zone: "inside", seat: 2 } as const;
    const hit = (taken: number) =>
      ({ kind: "damaged", card: hero, room, amount: 1, taken, health: 99, words: "Ouch." }) as GameEvent;
    const events: GameEvent[] = [
      { kind: "enters_dungeon", card: hero, from: { zone: "entrance", seat: 2 }, to: where, words: "" },
      { kind: "enters", card: hero, room, from: where, to: { ...where, slot: 0 }, words: "A hero enters." },
      ...Array.from({ length: 6 }, (_, i) => hit(i + 1)),
    ];
    send({ type: "update", ...last, fresh: true, events: [], view: at([], [walker]) });
    const after = at([{ ...walker, damage: 6, room: room.id }], []);
    send({ type: "update", ...last, fresh: false, events, view: after });
  };
}

test("the camera visits the opponent whose heroes walk, comes home, and gives way to a click on your hand", async ({
  page,
}) => {
  await inAHurry(page);
  const errors = watchErrors(page);
  const walk = await table(page);
  const [own, visit] = [page.getByTestId("own"), page.getByTestId("visit")];
  await expect(own).toContainText("Your dungeon");

  walk();
  await expect(visit).toContainText("Kobold's dungeon");
  await expect(visit.locator(".walker")).toHaveCount(1);
  // The strip shows it too, and the log tells it.
  await expect(page.getByTestId("opponent").locator(".walker")).toHaveCount(1);
  await expect(page.getByTestId("log")).toContainText("A hero enters.");
  await expect(page.locator('[data-testid="prompt"].open')).toBeVisible({ timeout: 20_000 });
  await expect(own).toBeVisible();
  await expect(visit).toBeHidden();

  // A press on a card ends the show and means the card.
  const key = await page.locator('[data-testid="hand-card"]:not(.idle)').first().getAttribute("data-key");
  const card = page.locator(`[data-testid="hand-card"][data-key="${key ?? ""}"]`);
  walk();
  await expect(visit).toBeVisible();
  const box = await card.boundingBox();
  if (!box) throw new Error("no card in hand");
  await page.mouse.click(box.x + 30, box.y + 20);
  await expect(own).toBeVisible();
  await expect(card.getByRole("button")).toHaveClass(/selected/);
  await expect(own.locator('[data-key^="place:"]').first()).toBeVisible();
  await page.keyboard.press("Escape");

  // Whoever wants to stay at home does.
  await page.getByTestId("menu").click();
  await page.getByTestId("follow").uncheck();
  await page.keyboard.press("Escape");
  walk();
  await expect(page.getByTestId("opponent").locator(".walker .hit").first()).toBeVisible();
  await expect(own).toBeVisible();
  await expect(visit).toBeHidden();
  expect(errors).toEqual([]);
});
