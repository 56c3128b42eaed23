/** The six levels, each with a face. */
import { bossFigure, bossLook } from "../../art/boss";
import { main, type Coat } from "../../art/coats";
import type { Grid } from "../../art/grid";
import { picture, type Picture } from "../../art/picture";
import { monsters } from "../../art/sheets";
import { inventCard } from "../../cards/card";
import type { BotLevel } from "../../gen/wire";

function monster(name: string, coat: Coat): Grid {
  const drawn = monsters
    .get(name)
    .recolour({ ...main(coat), "4": "b", "5": "o", "6": "O", "7": "y", "8": "Y", "9": "y" });
  return drawn.pad(1).outline("k");
}

function boss(name: string): Grid {
  return bossFigure(bossLook(inventCard("boss", name, { treasure: { mage: 1 } })));
}

const FACES: Readonly<Record<BotLevel, () => Grid>> = {
  kobold: () => monster("kid-goblin", "brown"),
  minion: () => monster("goblin", "green"),
  "mini-boss": () => monster("ogre", "red"),
  boss: () => boss("robot"),
  "total-boss": () => boss("lich king"),
  "grand-boss": () => boss("demon emperor"),
};

export const levelPicture = (level: BotLevel): Picture => picture(`level ${level}`, FACES[level]);
