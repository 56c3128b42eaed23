/** Decks, sets and variants by the titles people know them by; their names and codes are for files and addresses. */
import { VARIANTS, type BoxInfo, type DeckInfo } from "../gen/wire";
import { say } from "../words/pages";
import { api } from "./client";

let decks: readonly DeckInfo[] | undefined = $state.raw();
let boxes: readonly BoxInfo[] | undefined = $state.raw();

/** Fetches the titles if they are not here yet. Without them, names are shown. */
async function load(): Promise<void> {
  const none = () => undefined;
  const [gotDecks, gotBoxes] = await Promise.all([api.decks().catch(none), api.boxes().catch(none)]);
  decks ??= gotDecks;
  boxes ??= gotBoxes;
}

const known = (name: string) => decks?.find((deck) => deck.name === name)?.title;

/** A mix has the titles of its boxes. A deck that the server doesn't have is somebody's own. Empty until the titles
 * have come. */
function deck(name: string): string {
  if (!decks) return "";
  const mixed = name.includes("+") ? name.split("+").map(set).join(" + ") : undefined;
  return known(name) ?? mixed ?? say.lobby.ownDeck;
}

function set(code: string): string {
  return boxes?.find((box) => box.code === code.toUpperCase())?.title ?? code;
}

function variant(name: string): string {
  return VARIANTS.find((one) => one.name === name)?.title ?? name;
}

export const titles = { load, deck, set, variant };
