/**
 * What a client knows of a table: the server's messages folded into one state. Pure, so that it can be replayed.
 *
 * Invariant: nothing is computed here; what is shown is what the server said last.
 */
import type {
  CardText,
  ChatLine,
  CloseReason,
  GameEvent,
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
  event: GameEvent;
}

export interface TableState {
  you?: You;
  /** When `you` arrived, to count down from. */
  youCame: number;
  table?: TableInfo;
  chat: readonly ChatLine[];
  start?: Start;
  /** By face. */
  cards: ReadonlyMap<number, CardText>;
  update?: Update;
  /** When the update arrived, to count down from. */
  came: number;
  /** The question that was answered; the answer has been neither accepted nor refused yet. */
  answered?: number;
  log: readonly LogLine[];
  preview?: Preview;
  /** Why a card cannot be used at this moment. */
  why?: { seq: number; card: number; words: string };
  hint?: { seq: number; moves: readonly HintMove[] };
  /** A player asks to undo. */
  undoRequest?: { request: number; seat: number; words: string };
  bye?: { code: CloseReason; words: string };
}

const LOG_KEPT = 600;

export const nothing: TableState = { chat: [], cards: new Map(), came: 0, youCame: 0, log: [] };

/** The state after a message that arrived at the time `now`, in milliseconds. */
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
        youCame: now,
        table: message.table,
        chat: message.chat,
      };
    case "table":
      return { ...state, table: message.table, you: message.you, youCame: now };
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
        why: undefined,
        hint: undefined,
        undoRequest: update.over ? undefined : state.undoRequest,
        log: told(state, update),
      };
    }
    case "preview": {
      const preview = untyped(message);
      return preview.seq === state.update?.seq ? { ...state, preview } : state;
    }
    case "why":
      return message.seq === state.update?.seq ? { ...state, why: message } : state;
    case "hint":
      return message.seq === state.update?.seq ? { ...state, hint: message } : state;
    case "undo_asked":
      return { ...state, undoRequest: message };
    case "undo_answered":
      return state.undoRequest?.request === message.request ? { ...state, undoRequest: undefined } : state;
    case "disarmed":
    case "beat":
      return state;
    case "chat":
      return { ...state, chat: [...state.chat, message.line].slice(-200) };
    case "refused":
      return { ...state, answered: undefined };
    case "bye":
      return { ...state, bye: message };
  }
}

/** The log with the events of an update; a fresh update brings the whole story. */
function told(state: TableState, update: Update): readonly LogLine[] {
  const before = update.fresh ? [] : state.log;
  let id = (state.log.at(-1)?.id ?? 0) + 1;
  let turn = before.at(-1)?.turn ?? 0;
  const lines = update.events.map((event): LogLine => {
    if (event.kind === "turn_begins") turn = event.turn;
    return { id: id++, turn, event };
  });
  return lines.length || update.fresh ? [...before, ...lines].slice(-LOG_KEPT) : before;
}

function untyped<T extends { type: string }>(message: T): Omit<T, "type"> {
  const { type, ...rest } = message;
  void type;
  return rest;
}
