/** Every sheet, read once. */
import bossText from "./sheets/bosses.txt?raw";
import deathText from "./sheets/deaths.txt?raw";
import glyphText from "./sheets/glyphs.txt?raw";
import heroText from "./sheets/heroes.txt?raw";
import iconText from "./sheets/icons.txt?raw";
import itemText from "./sheets/items.txt?raw";
import minibossText from "./sheets/minibosses.txt?raw";
import monsterText from "./sheets/monsters.txt?raw";
import propText from "./sheets/props.txt?raw";
import townText from "./sheets/town.txt?raw";
import trapText from "./sheets/traps.txt?raw";
import { Sheet } from "./sheet";

export const bosses = new Sheet("bosses.txt", bossText);
export const deaths = new Sheet("deaths.txt", deathText);
export const glyphs = new Sheet("glyphs.txt", glyphText);
export const heroes = new Sheet("heroes.txt", heroText);
export const icons = new Sheet("icons.txt", iconText);
export const items = new Sheet("items.txt", itemText);
export const minibosses = new Sheet("minibosses.txt", minibossText);
export const monsters = new Sheet("monsters.txt", monsterText);
export const props = new Sheet("props.txt", propText);
export const townBoard = new Sheet("town.txt", townText);
export const traps = new Sheet("traps.txt", trapText);
