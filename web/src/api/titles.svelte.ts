/** Decks, sets and variants by the titles people know them by; their names and codes are for files and addresses. */
import { VARIANTS, type DeckInfo } from "../gen/wire";
import { say } from "../words/pages";
import { api } from "./client";

let decks: readonly DeckInfo[] | undefined = $state.raw();

/** Fetches the titles if they are not here yet. Without them, names are shown. */
async function load(): Promise<void> {
  decks ??= await api.decks().catch(() => undefined);
}

const known = (name: string) => decks?.find((deck) => deck.name === name)?.title;

/** A deck that the server doesn't have is somebody's own. Empty until the titles have come. */
function deck(name: string): string {
  return decks ? (known(name) ?? say.lobby.ownDeck) : "";
}

/** A set has the title of the deck that is just this set; a pack has its own. */
function set(code: string): string {
  return known(code.toLowerCase()) ?? say.packs[code] ?? code;
}

function variant(name: string): string {
  return VARIANTS.find((one) => one.name === name)?.title ?? name;
}

export const titles = { load, deck, set, variant };
