/** Moments of a game, asked for once each. */
import { api } from "../../api/client";
import type { Eyes } from "../../app/route";
import type { CardText, ReplayMoment } from "../../gen/wire";

export class Moments {
  private readonly kept = new Map<string, Promise<ReplayMoment>>();

  constructor(private readonly id: string) {}

  at(step: number, eyes: Eyes): Promise<ReplayMoment> {
    const key = `${eyes} ${step}`;
    const known = this.kept.get(key);
    if (known) return known;
    const moment = api.moment(this.id, step, eyes);
    this.kept.set(key, moment);
    moment.catch(() => this.kept.delete(key));
    return moment;
  }
}

/** The cards of a game by face. */
export function cardsOf(cards: readonly CardText[]): ReadonlyMap<number, CardText> {
  return new Map(cards.map((card) => [card.face, card]));
}
