/** The server's HTTP API, typed. Every failure is a `Problem` with words to show. */
import type {
  BossTitle,
  BoxInfo,
  Daily,
  CardPage,
  CardsCheck,
  DeckCheck,
  DeckInfo,
  DeckText,
  GameReview,
  GameStory,
  GameSummary,
  Lobby,
  Me,
  MixInfo,
  NewTable,
  NewTableReply,
  Preview,
  Problem as ProblemText,
  PuzzleHint,
  PuzzleInfo,
  PuzzlePosition,
  PuzzleReason,
  PuzzleReply,
  PuzzleSolution,
  Replay,
  ReplayMoment,
  SessionInfo,
  TableCards,
  TableInfo,
} from "../gen/wire";
import type { Viewpoint } from "../app/route";
import type { ProvenRecord } from "../fairness/part";
import { say } from "../words/pages";
import { Problem } from "./problem";

type Ask = { body?: unknown; signal?: AbortSignal };

async function answer(method: "GET" | "POST", path: string, { body, signal }: Ask = {}): Promise<Response> {
  const init: RequestInit = { method, signal: signal ?? null };
  if (method === "POST") {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body ?? {});
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem("offline", say.problems.offline);
  }
  if (response.ok) return response;
  throw await told(response);
}

async function told(response: Response): Promise<Problem> {
  const known = say.problems.byCode as Readonly<Record<string, string | undefined>>;
  try {
    const { code, words } = (await response.json()) as ProblemText;
    return new Problem(code, known[code] ?? words, response.status);
  } catch {
    return new Problem("unreadable", say.problems.status(response.status), response.status);
  }
}

const get = async <T>(path: string, signal?: AbortSignal) =>
  (await answer("GET", path, signal ? { signal } : {})).json() as Promise<T>;
const post = async <T>(path: string, body?: unknown, signal?: AbortSignal) =>
  (await answer("POST", path, signal ? { body, signal } : { body })).json() as Promise<T>;

/** Asked once; a failure is not kept. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= ask().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

const puzzleAt = (name: string, what = "") => `/api/puzzles/${encodeURIComponent(name)}${what}`;

export const api = {
  me: () => get<Me>("/api/me"),
  guest: (name: string) => post<Me>("/api/guest", { name }),
  account: (name: string, passphrase: string) => post<Me>("/api/account", { name, passphrase }),
  signIn: (name: string, passphrase: string) => post<Me>("/api/sign-in", { name, passphrase }),
  signOut: () => post<Me>("/api/sign-out"),
  /** Where this person is signed in. */
  sessions: () => get<SessionInfo[]>("/api/sessions"),
  /** Ends a session, or all `others`; returns those that are left. */
  revoke: (session: string) => post<SessionInfo[]>("/api/sessions/revoke", { session }),
  /** Your best titles, by boss. */
  titles: () => get<BossTitle[]>("/api/me/titles"),
  daily: () => get<Daily>("/api/daily"),
  /** Your attempt at today's dungeon. */
  playDaily: () => post<NewTableReply>("/api/daily"),
  games: () => get<GameSummary[]>("/api/me/games"),
  /** The names of the puzzles that you have solved. */
  solvedPuzzles: () => get<string[]>("/api/me/puzzles"),
  puzzles: once(() => get<PuzzleInfo[]>("/api/puzzles")),
  puzzle: (name: string) => get<PuzzlePosition>(puzzleAt(name)),
  /** What comes of the last of these answers. */
  attempt: (name: string, answers: readonly number[]) =>
    post<PuzzleReply>(puzzleAt(name, "/attempt"), { answers }),
  /** What another answer would do. */
  previewPuzzle: (name: string, answers: readonly number[], index: number) =>
    post<Preview>(puzzleAt(name, "/preview"), { answers, index }),
  whyNotInPuzzle: (name: string, answers: readonly number[], card: number) =>
    post<PuzzleReason>(puzzleAt(name, "/why"), { answers, card }),
  puzzleHint: (name: string, answers: readonly number[]) =>
    post<PuzzleHint>(puzzleAt(name, "/hint"), { answers }),
  puzzleSolution: (name: string) => get<PuzzleSolution>(puzzleAt(name, "/solution")),
  lobby: (signal?: AbortSignal) => get<Lobby>("/api/tables", signal),
  table: (id: string) => get<TableInfo>(`/api/tables/${encodeURIComponent(id)}`),
  deck: (id: string) => get<DeckText>(`/api/tables/${encodeURIComponent(id)}/deck`),
  /** The cards of its own that a table is played with. */
  ownCards: (id: string) => get<TableCards>(`/api/tables/${encodeURIComponent(id)}/cards`),
  newTable: (table: NewTable) => post<NewTableReply>("/api/tables", table),
  cards: once(() => get<CardPage[]>("/api/cards")),
  decks: once(() => get<DeckInfo[]>("/api/decks")),
  boxes: once(() => get<BoxInfo[]>("/api/boxes")),
  /** What a mix of boxes comes to, by its name: `bmr+crl`. */
  mix: (name: string) => get<MixInfo>(`/api/mixes/${encodeURIComponent(name)}`),
  /** A fair mix that nobody has chosen. */
  surprise: (players: number, seed: number) => get<MixInfo>(`/api/surprise?players=${players}&seed=${seed}`),
  checkDeck: (name: string, text: string, signal?: AbortSignal) =>
    post<DeckCheck>("/api/decks/check", { name, text }, signal),
  checkCards: (text: string, signal?: AbortSignal) => post<CardsCheck>("/api/cards/check", { text }, signal),
  rules: once(async () => (await answer("GET", "/api/rules")).text()),
  replay: (id: string, viewpoint: Viewpoint) =>
    get<Replay>(`/api/replay/${encodeURIComponent(id)}?seat=${viewpoint}`),
  moment: (id: string, step: number, viewpoint: Viewpoint) =>
    get<ReplayMoment>(`/api/replay/${encodeURIComponent(id)}/${step}?seat=${viewpoint}`),
  /** The turning points for one player. */
  review: (id: string, seat: number) =>
    get<GameReview>(`/api/replay/${encodeURIComponent(id)}/review/${seat}`),
  /** How a finished game went. */
  story: (id: string) => get<GameStory>(`/api/replay/${encodeURIComponent(id)}/story`),
  record: (id: string) => get<ProvenRecord>(api.recordHref(id)),
  /** The record of a finished game, to be kept: an address, for a link. */
  recordHref: (id: string) => `/record/${encodeURIComponent(id)}`,
};
