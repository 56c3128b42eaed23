/**
 * The deck of the tutorial: rooms that do little besides hurting, heroes weak enough for three of them, spells that
 * can nearly always be cast. So every lesson comes by itself within a few turns, whatever is dealt.
 */
export const FIRST_STEPS = `deck First steps
note Plain rooms, few surprises: for a first game.

Draculord
Xyzax
Robobo
Cerebellus
Gorgona

Neanderthal Cave x6
Golem Factory x6
Goblin Armory x3
Specter's Sanctum x8
Open Grave x6
Brainsucker Hive x9
Dark Laboratory x3
Bottomless Pit x6
Dizzygas Hallway x6

Giant Size x8
Exhaustion x6
Annihilator x4
Fear x4

Nick the Masher
Boden the Pantless
Tieg and the Magic Bubble
Joman Chimm
Acacia x3
Fire's Breath x3
Mitchell x3
BMR076 x3
BMR081
BMR085
BMR089
BMR093
`;
