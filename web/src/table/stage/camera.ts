/**
 * Where the large scene looks while events are shown: at the dungeon in which something happens, else at home.
 *
 * Invariant: it only follows what everybody at the table sees.
 */
import type { GameEvent, Player, Table } from "../../gen/wire";

/** The seat whose dungeon is shown large; at home there is none. */
export type Camera = number | undefined;

export interface Follow {
  /** Whose dungeon is home. */
  home: number;
  from: Camera;
  /** It ends at home, whatever is going on elsewhere. */
  asked?: boolean;
}

/** Where to look while this event is shown, before which the table is `view`. */
export function lookAt(event: GameEvent, view: Table, { home, from }: Follow): Camera {
  const seat = siteOf(event, view);
  return seat === undefined ? from : seat === home || seat === "home" ? undefined : seat;
}

/** Where to look when everything has been shown: the walk that is not over yet. */
export function restAt(view: Table, home: number): Camera {
  const seat = view.players.find(({ inside }) => inside.length > 0)?.seat ?? nextWalk(view);
  return seat === home ? undefined : seat;
}

/** A dungeon, home, or nothing that the camera would move for. */
function siteOf(event: GameEvent, view: Table): number | "home" | undefined {
  switch (event.kind) {
    case "enters_dungeon":
    case "enters":
    case "damaged":
    case "recovers":
    case "dies":
    case "wounds":
    case "stays_out":
      return dungeonOf(event, view);
    case "destroyed":
      return event.from?.zone === "dungeon" ? event.from.seat : undefined;
    case "levels_up":
      return event.actor;
    case "eliminated":
      return event.player;
    case "player_begins":
      return view.phase === "adventure" && hasHeroes(view, event.actor) ? event.actor : undefined;
    case "phase_begins":
      return event.phase === "adventure" ? undefined : "home";
    case "turn_begins":
      return "home";
    default:
      return undefined;
  }
}

/** The dungeon that the hero is in or enters; none for one in town. */
function dungeonOf({ card, room, to }: GameEvent, view: Table): number | undefined {
  const has = (player: Player) =>
    [...player.inside, ...player.entrance].some((hero) => hero.card.id === card?.id) ||
    (room !== undefined && player.dungeon.some((each) => each.card.id === room.id));
  return view.players.find(has)?.seat ?? (to?.zone === "inside" ? to.seat : undefined);
}

function nextWalk(view: Table): number | undefined {
  return view.phase === "adventure" && hasHeroes(view, view.active) ? view.active : undefined;
}

function hasHeroes(view: Table, seat: number | undefined): boolean {
  const player = view.players.find((each) => each.seat === seat);
  return player !== undefined && player.entrance.length + player.inside.length > 0;
}
