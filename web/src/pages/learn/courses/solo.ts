/** A game for one: `scenarios/tutorial/solo.scn`. */
import recorded from "../../../gen/lessons/solo.json";
import { Course, hand, space, type RecordedGame } from "../course";

export default new Course(recorded as unknown as RecordedGame, [
  { key: "alone", chapter: 0, moment: 0, spots: ["score"] },
  { key: "thresholds", chapter: 0, moment: 0, spots: ["street"], teaches: "places" },
  { key: "books", chapter: 0, moment: 0, spots: ["market"], act: true },
  { key: "sword", chapter: 0, moment: 1, spots: [space("stadium:treasure")], act: true, teaches: "minion" },
  { key: "bar", chapter: 0, moment: 2, spots: [hand("Mana Bar")], act: true },
  { key: "three", chapter: 0, moment: 3, spots: ["score"], teaches: "score" },
  { key: "full", chapter: 1, moment: 0, spots: ["landmarks"], teaches: "tavern" },
  { key: "spare", chapter: 1, moment: 0, spots: ["market"], act: true },
  { key: "makeRoom", chapter: 1, moment: 1, spots: [space("temple:summon")], act: true },
  { key: "title", chapter: 1, moment: 2, spots: ["score"] },
]);
