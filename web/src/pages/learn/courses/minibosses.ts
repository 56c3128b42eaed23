/** Coins and minibosses: `scenarios/tutorial/minibosses.scn`. */
import recorded from "../../../gen/lessons/minibosses.json";
import { Course, hand, room, type RecordedGame } from "../course";

export default new Course(recorded as unknown as RecordedGame, [
  { key: "coins", chapter: 0, moment: 0, spots: ["coins"], teaches: "coins" },
  { key: "miniboss", chapter: 0, moment: 0, spots: [hand("Spike")], act: true },
  { key: "paid", chapter: 0, moment: 1, after: "joins_room", spots: ["miniboss"], teaches: "miniboss" },
  { key: "spiked", chapter: 0, moment: 1, spots: ["souls"] },
  { key: "tougher", chapter: 1, moment: 0, spots: [room("Training Camp"), room("Goblin Market")] },
  { key: "promote", chapter: 1, moment: 0, spots: ["miniboss"], act: true, teaches: "promote" },
  { key: "power", chapter: 1, moment: 1, spots: ["miniboss"], act: true, teaches: "power" },
  { key: "price", chapter: 1, moment: 2, spots: [hand("Power Leech")], act: true },
  { key: "third", chapter: 1, moment: 3, spots: ["miniboss"] },
]);
