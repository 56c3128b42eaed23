/** Preferences, kept in the browser. */
import type { PassUntil } from "../../gen/wire";
import type { Speed } from "../stage/animate";

interface Liked {
  speed: Speed;
  sound: boolean;
  volume: number;
  textMode: boolean;
  dock: boolean;
  /** What was chosen last. */
  passUntil: PassUntil;
  /** The large scene goes where something happens. */
  follow: boolean;
  /** Sound was offered once. */
  soundOffered: boolean;
}

const KEY = "lair.table";
const usual: Liked = {
  speed: "normal",
  sound: false,
  volume: 0.5,
  textMode: false,
  dock: true,
  passUntil: "turn",
  follow: true,
  soundOffered: false,
};

function stored(): Partial<Liked> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Liked>;
  } catch {
    return {};
  }
}

export const prefs: Liked = $state({ ...usual, ...stored() });

export function setPrefs(change: Partial<Liked>): void {
  Object.assign(prefs, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // Then they last until the page is closed.
  }
}
