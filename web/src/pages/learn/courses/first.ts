/** A first game: `scenarios/tutorial/first-game.scn`. */
import recorded from "../../../gen/lessons/first-game.json";
import { Course, dungeon, hand, town, type RecordedGame } from "../course";

export default new Course(recorded as unknown as RecordedGame, [
  { key: "boss", chapter: 0, moment: 0, spots: ["boss"] },
  { key: "room", chapter: 0, moment: 0, spots: [hand("Golem Factory")], act: true, teaches: "build" },
  { key: "heroes", chapter: 0, moment: 1, spots: ["town"] },
  { key: "second", chapter: 0, moment: 1, spots: [hand("Neanderthal Cave")], act: true },
  { key: "lure", chapter: 0, moment: 2, after: "lured", spots: ["entrance"], teaches: "lure" },
  { key: "wound", chapter: 0, moment: 2, after: "wounds", spots: ["opponent"], teaches: "wound" },
  { key: "pass", chapter: 0, moment: 2, spots: ["pass", dungeon("Boden the Pantless")], act: true },
  { key: "kill", chapter: 0, moment: 3, spots: ["souls"], teaches: "kill" },
  { key: "later", chapter: 1, moment: 0, spots: ["souls"] },
  { key: "epic", chapter: 1, moment: 0, spots: [town("Hya, Legendary Shinobi")] },
  { key: "fifth", chapter: 1, moment: 0, spots: [hand("Dizzygas Hallway")], act: true },
  { key: "level", chapter: 1, moment: 1, spots: [town("Nick the Masher")], act: true, teaches: "level" },
  {
    key: "spell",
    chapter: 1,
    moment: 2,
    spots: [hand("Exhaustion"), dungeon("Hya, Legendary Shinobi")],
    act: true,
    teaches: "spell",
  },
  {
    key: "answer",
    chapter: 1,
    moment: 3,
    spots: [hand("Counterspell"), "pending"],
    act: true,
    teaches: "answer",
  },
  { key: "win", chapter: 1, moment: 4, spots: ["souls", "boss"], teaches: "win" },
]);
