/** The words of the town board and of the game for one, in English. */
import type { Errand, Landmark } from "../gen/wire";

const SERVICES: Readonly<Record<Landmark, string>> = {
  temple: "take a card left in the market",
  stadium: "draw a room",
  library: "draw a spell, then discard a spell",
  hideout: "+2 damage for your last room this turn",
  launchpad: "shuffle a stack of rooms",
  tavern: "",
};
const TREASURES: Readonly<Record<Landmark, string>> = {
  temple: "one more cleric treasure this turn",
  stadium: "one more fighter treasure this turn",
  library: "one more mage treasure this turn",
  hideout: "one more thief treasure this turn",
  launchpad: "one more explorer treasure this turn",
  tavern: "",
};

const times = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export const words = {
  title: "Town board",
  landmarks: "Landmarks",
  street: "Town",
  market: "Market",
  marketClosed: "Closed until the next turn",
  camp: "Minions",
  minionOf: (name: string) => `${name}'s minion`,
  yourMinion: "Your minion",
  atHome: "at home",
  atSpace: (landmark: string, what: string) => `at the ${landmark}: ${what}`,
  onCard: (name: string) => `on ${name}`,
  out: "at work",
  firstPlayer: "First player",
  space: (landmark: Landmark, errand: Errand): string =>
    errand === "treasure"
      ? TREASURES[landmark]
      : errand === "service"
        ? SERVICES[landmark]
        : "send the hero to an entrance",
  spaceAt: (name: string, what: string) => `${name}: ${what}`,
  token: (token: number) => `${token > 0 ? "+" : "−"}${Math.abs(token)}`,
  tokenLong: (token: number) => `${token > 0 ? "+" : "−"}${Math.abs(token)} health when sent`,
  tokenHas: (token: number) => `${token > 0 ? "+" : "−"}${Math.abs(token)} health from a landmark`,
  tavernMore: (count: number) => `${count} in all, newest on top`,
  nobodyThere: "nobody is there",
  trains: (name: string, landmark: string) => `${name} is at the ${landmark}`,
  fate: {
    dies: (room: number) => `would die in room ${room}`,
    wounds: "would reach the boss",
    stays_out: "would not go in",
  },
  inDungeon: (name: string, fate: string) => `${name}: ${fate}`,
  you: "you",
  freePlace: (place: number) => `Place ${place}, free`,
  place: (place: number) => `Place ${place}`,
  pushed: (landmark: string) => `pushed to the ${landmark} next turn`,
  pushedShort: (landmark: string) => `→ ${landmark}`,
  needs: (count: number) => `lured by ${times(count, "treasure")} of its type`,
  has: (have: number, need: number) => `you have ${have} of ${need}`,
  sendHere: "Send here",
  sendTo: (name: string) => `Send the hero to ${name}'s entrance`,
  stack: "Waiting to happen, the next on top",
  stackNext: "next",
  stackAt: (place: number) => (place === 1 ? "happens next" : `happens after ${times(place - 1, "other")}`),
  solo: {
    title: "Your score",
    score: (score: number) => `${score}`,
    scoreLong: (score: number) => `${times(score, "point")}`,
    next: (missing: number, title: string) => `${missing} more: ${title}`,
    best: "There is no higher title.",
    wounds: (count: number) => `${count} of 5 wounds`,
    woundsWhy: "Five wounds end the game after the turn.",
    tavern: "A hero in the Tavern ends the game at once.",
    epics: (left: number) =>
      left === 0 ? "No epic heroes left: the last turn" : `${times(left, "epic hero", "epic heroes")} left`,
    end: "Your title",
    again: "Play again",
    scores: "Today's scores",
    titles: "Your titles",
    total: (souls: number, wounds: number) => `${times(souls, "soul")} − ${times(wounds, "wound")}`,
    missing: (points: number, title: string) => `${times(points, "point")} short of ${title}.`,
    house: "Played with house cards.",
    questions: {
      keep_boss: "Keep one. The other goes back into the box.",
      draft: "Take one. What is left can be had at the Temple.",
    } as Readonly<Record<string, string>>,
  },
  house: "House cards: designed for this program, not printed in the box.",
} as const;
