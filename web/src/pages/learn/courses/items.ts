/** Items: `scenarios/tutorial/items.scn`. */
import recorded from "../../../gen/lessons/items.json";
import { Course, hand, type RecordedGame } from "../course";

export default new Course(recorded as unknown as RecordedGame, [
  { key: "carried", chapter: 0, moment: 0, spots: ["town"], teaches: "carried" },
  { key: "enough", chapter: 0, moment: 0, spots: [hand("Golem Factory")], act: true },
  { key: "claimed", chapter: 0, moment: 1, spots: ["items"], teaches: "claimed" },
  { key: "faceUp", chapter: 1, moment: 0, spots: ["items"] },
  { key: "useItem", chapter: 1, moment: 0, spots: ["items"], act: true, teaches: "used" },
  { key: "onWhom", chapter: 1, moment: 1, spots: ["opponent"], act: true },
  { key: "faceDown", chapter: 1, moment: 2, spots: ["items", "opponent"] },
]);
