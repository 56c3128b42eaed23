/** Which treasure a landmark stands for. */
import type { Class, Landmark } from "../gen/wire";

export const LANDMARK_CLASS: Readonly<Record<Landmark, Class | undefined>> = {
  temple: "cleric",
  stadium: "fighter",
  library: "mage",
  hideout: "thief",
  launchpad: "explorer",
  tavern: undefined,
};
