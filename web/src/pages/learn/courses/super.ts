/** Super Boss Monster: `scenarios/tutorial/super.scn`. */
import recorded from "../../../gen/lessons/super.json";
import { Course, hand, space, type RecordedGame } from "../course";

export default new Course(recorded as unknown as RecordedGame, [
  { key: "board", chapter: 0, moment: 0, spots: ["street"] },
  { key: "stall", chapter: 0, moment: 0, spots: ["market"], act: true, teaches: "market" },
  {
    key: "errand",
    chapter: 0,
    moment: 1,
    spots: [space("library:treasure")],
    act: true,
    teaches: "minion",
  },
  { key: "orb", chapter: 0, moment: 2, spots: [hand("Homing Orb Silo")], act: true },
  { key: "works", chapter: 0, moment: 3, after: "gains_treasure", spots: [space("library:treasure")] },
  { key: "fourth", chapter: 0, moment: 3, after: "lured", spots: ["entrance"] },
  { key: "passed", chapter: 0, moment: 3, spots: ["souls", "camp"], teaches: "first" },
  { key: "pushed", chapter: 1, moment: 0, spots: ["landmarks"], teaches: "push" },
  { key: "take", chapter: 1, moment: 0, spots: ["market"], act: true },
  { key: "fetch", chapter: 1, moment: 1, spots: [space("stadium:summon")], act: true },
  { key: "send", chapter: 1, moment: 2, spots: ["send"], act: true, teaches: "summon" },
  { key: "sent", chapter: 1, moment: 3, spots: ["opponent"] },
]);
