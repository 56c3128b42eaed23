/** Moments of a game, each fetched once. */
import { api } from "../../api/client";
import type { Viewpoint } from "../../app/route";
import type { CardText, ReplayMoment } from "../../gen/wire";

export class Moments {
  private readonly kept = new Map<string, Promise<ReplayMoment>>();

  constructor(private readonly id: string) {}

  at(step: number, viewpoint: Viewpoint): Promise<ReplayMoment> {
    const key = `${viewpoint} ${step}`;
    const known = this.kept.get(key);
    if (known) return known;
    const moment = api.moment(this.id, step, viewpoint);
    this.kept.set(key, moment);
    moment.catch(() => this.kept.delete(key));
    return moment;
  }
}

/** The cards of a game by face. */
export function cardsOf(cards: readonly CardText[]): ReadonlyMap<number, CardText> {
  return new Map(cards.map((card) => [card.face, card]));
}
