/**
 * What a client knows of a table: the messages of the server, folded one after the other. Pure, so that it can be
 * replayed.
 *
 * Invariant: nothing is worked out here; what is shown is what the server said last.
 */
import type {
  CardText,
  ChatLine,
  Farewell,
  Happening,
  HintMove,
  Preview,
  ServerMsg,
  Start,
  TableInfo,
  Update,
  You,
} from "../gen/wire";

export interface LogLine {
  id: number;
  turn: number;
  what: Happening;
}

export interface TableState {
  you?: You;
  table?: TableInfo;
  chat: readonly ChatLine[];
  start?: Start;
  /** By face. */
  cards: ReadonlyMap<number, CardText>;
  update?: Update;
  /** When the update came, to count down from. */
  came: number;
  /** The question that was answered and has not been taken or refused yet. */
  answered?: number;
  log: readonly LogLine[];
  preview?: Preview;
  hint?: { seq: number; moves: readonly HintMove[] };
  /** Somebody wishes to take back. */
  wish?: { request: number; seat: number; words: string };
  bye?: { code: Farewell; words: string };
}

const LOG_KEPT = 600;

export const nothing: TableState = { chat: [], cards: new Map(), came: 0, log: [] };

/** The state after a message that came at the time `now`, in milliseconds. */
export function receive(state: TableState, message: ServerMsg, now: number): TableState {
  switch (message.type) {
    case "welcome":
      return {
        ...nothing,
        log: state.log,
        start: state.start,
        cards: state.cards,
        update: state.update,
        came: state.came,
        you: message.you,
        table: message.table,
        chat: message.chat,
      };
    case "table":
      return { ...state, table: message.table, you: message.you };
    case "cards": {
      const cards = new Map(message.start.cards.map((card) => [card.face, card]));
      return { ...state, start: message.start, cards };
    }
    case "update": {
      const update = untyped(message);
      return {
        ...state,
        update,
        came: now,
        answered: undefined,
        preview: undefined,
        hint: undefined,
        wish: update.over ? undefined : state.wish,
        log: told(state, update),
      };
    }
    case "preview": {
      const preview = untyped(message);
      return preview.seq === state.update?.seq ? { ...state, preview } : state;
    }
    case "hint":
      return message.seq === state.update?.seq ? { ...state, hint: message } : state;
    case "undo_asked":
      return { ...state, wish: message };
    case "undo_answered":
      return state.wish?.request === message.request ? { ...state, wish: undefined } : state;
    case "chat":
      return { ...state, chat: [...state.chat, message.line].slice(-200) };
    case "refused":
      return { ...state, answered: undefined };
    case "bye":
      return { ...state, bye: message };
  }
}

/** The log with what was told; who begins anew is told the whole story. */
function told(state: TableState, update: Update): readonly LogLine[] {
  const before = update.fresh ? [] : state.log;
  let id = (state.log.at(-1)?.id ?? 0) + 1;
  let turn = before.at(-1)?.turn ?? 0;
  const lines = update.events.map((what): LogLine => {
    if (what.kind === "turn_begins") turn = what.turn;
    return { id: id++, turn, what };
  });
  return lines.length || update.fresh ? [...before, ...lines].slice(-LOG_KEPT) : before;
}

function untyped<T extends { type: string }>(message: T): Omit<T, "type"> {
  const { type, ...rest } = message;
  void type;
  return rest;
}
