/** What the log tells of a player: what they did, who beat them, which boss they had. */
import type { Card, Player } from "../../gen/wire";
import type { LogLine } from "../../net/state";

export interface Feats {
  killed: number;
  built: number;
  cast: number;
}

export function featsOf(log: readonly LogLine[], seat: number): Feats {
  const count = (is: (event: LogLine["event"]) => boolean) => log.filter(({ event }) => is(event)).length;
  return {
    killed: count(({ kind, to }) => kind === "dies" && to?.seat === seat),
    built: count(({ kind, actor }) => (kind === "places" || kind === "builds") && actor === seat),
    cast: count(({ kind, actor }) => kind === "casts" && actor === seat),
  };
}

export interface LastBlow {
  hero?: Card;
  words: string;
}

/** The last hero that got through to the player's boss. */
export function lastBlow(log: readonly LogLine[], seat: number): LastBlow | undefined {
  const event = log.filter(({ event }) => event.kind === "wounds" && event.to?.seat === seat).at(-1)?.event;
  return event && { ...(event.card && { hero: event.card }), words: event.words };
}

/** Which boss a player has or had: whoever is out leaves the table with it, but the log knows. */
export function bossFace(player: Player | undefined, log: readonly LogLine[]): number | undefined {
  const kept = log.find(({ event }) => event.kind === "keeps_boss" && event.actor === player?.seat);
  return player?.boss?.face ?? kept?.event.card?.face;
}
