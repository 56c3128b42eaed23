// Printed from the server's types: UPDATE_EXPECT=1 cargo test -p server

export type ClientMsg = { "type": "hello", protocol: number, entropy?: string, } | { "type": "act", seq: number, index: number, } | { "type": "hold", seq: number, } | { "type": "preview", seq: number, index: number, } | { "type": "hint", seq: number, } | { "type": "stops", stops: Stops, } | { "type": "undo" } | { "type": "consent", request: number, yes: boolean, } | { "type": "sit", seat?: number, } | { "type": "stand" } | { "type": "bot", seat: number, level?: BotLevel, } | { "type": "start" } | { "type": "resign" } | { "type": "replace", seat: number, } | { "type": "back" } | { "type": "rematch" } | { "type": "chat", text: string, } | { "type": "refresh" };

export type ServerMsg = { "type": "welcome", protocol: number, you: You, table: TableInfo, chat: Array<ChatLine>, } | { "type": "table", table: TableInfo, you: You, } | { "type": "cards", start: Start, } | { "type": "update" } & Update | { "type": "preview" } & Preview | { "type": "hint", seq: number, moves: Array<HintMove>, } | { "type": "undo_asked", request: number, seat: number, words: string, } | { "type": "undo_answered", request: number, granted: boolean, words: string, } | { "type": "chat", line: ChatLine, } | { "type": "refused", code: Refusal, words: string, seq?: number, } | { "type": "bye", code: Farewell, words: string, };

export type Update = { 
/**
 * Grows with every change. Answers name it, so a late click cannot mean something else.
 */
seq: number, 
/**
 * Begins anew: show the table as it is; `events` are the story so far.
 */
fresh: boolean, view: Table, 
/**
 * What happened since the last update, in order; with `fresh` since the deal.
 */
events: Array<Happening>, 
/**
 * Whom the game waits for.
 */
waiting?: Waiting, 
/**
 * The question, if it is yours.
 */
ask?: AskYou, undo: Undo, over?: GameOver, };

export type Waiting = { seat: number, 
/**
 * In a window, where the player may act or pass.
 */
window: boolean, 
/**
 * When the table goes on by itself, in milliseconds from now.
 */
left_ms?: number, 
/**
 * Somebody keeps the window open.
 */
held: boolean, };

export type AskYou = { decision: Decision, 
/**
 * The possible answers; never empty. `act` names one by its place, counted from 0.
 */
legal: Array<Choice>, };

export type Undo = { allowed: UndoAllowed, 
/**
 * Why, or why not.
 */
words: string, };

export type UndoAllowed = "freely" | "by_consent" | "no";

export type GameOver = { winner?: number, 
/**
 * `ten souls`, `last standing`, `all lost`, `no heroes left`, `stopped` or `resigned`.
 */
reason: string, turns: number, 
/**
 * By seat.
 */
souls: Array<number>, wounds: Array<number>, 
/**
 * Everybody's cards are open in the record: `/record/{id}`.
 */
record: string, };

export type Preview = { seq: number, index: number, words: string, 
/**
 * The table as it would be; of a build only.
 */
view?: Table, };

export type HintMove = { index: number, 
/**
 * The answer.
 */
words: string, reason: string, 
/**
 * The chance to win, from 0 to 1.
 */
chance?: number, };

export type Stops = { windows: StopAt, 
/**
 * Always ask when somebody else's spell or ability could be answered.
 */
answer_spells: boolean, 
/**
 * Pass everything until the next turn.
 */
pass_turn: boolean, };

export type StopAt = "concerning" | "every" | "never";

export type You = { name: string, 
/**
 * Absent for a spectator.
 */
seat?: number, host: boolean, stops: Stops, 
/**
 * A bot plays your seat until you say `back`.
 */
away: boolean, };

export type ChatLine = { from: string, 
/**
 * Absent for a spectator.
 */
seat?: number, text: string, };

export type Refusal = "malformed" | "hello_first" | "stale" | "not_asked" | "not_legal" | "not_seated" | "not_host" | "not_now" | "seat_taken" | "too_fast" | "too_long" | "not_stored";

export type Farewell = "protocol" | "no_such_table" | "not_welcome" | "stopping" | "misbehaved" | "closed";

export type TableInfo = { id: string, settings: Settings, state: TableState, seats: Array<SeatInfo>, 
/**
 * How many only watch.
 */
spectators: number, 
/**
 * SHA-256 of the server's part of the seed, in hexadecimal: fixed before the first card.
 */
commitment: string, turn: number, 
/**
 * The table where the same players play once more.
 */
rematch?: string, };

export type TableState = "open" | "playing" | "over";

export type SeatInfo = { 
/**
 * Counted from 1.
 */
seat: number, 
/**
 * Absent: free.
 */
who?: Occupant, };

export type Occupant = { "kind": "person", name: string, connected: boolean, host: boolean, 
/**
 * A bot plays until they are back.
 */
away: boolean, resigned: boolean, } | { "kind": "bot", level: BotLevel, name: string, };

export type BotLevel = "kobold" | "minion" | "mini-boss" | "boss" | "total-boss" | "grand-boss";

export type Settings = { 
/**
 * A deck that comes with the program, by name.
 */
deck: string, 
/**
 * The text of a deck of one's own.
 */
deck_text?: string, variants: Array<string>, players: number, 
/**
 * Absent: no hurry.
 */
clock?: Clock, undo: UndoRule, spectators: Spectators, 
/**
 * Shown in the lobby; otherwise only those with the link find it.
 */
listed: boolean, 
/**
 * How long a window stays open that nobody holds, in milliseconds. 0 for tables of friends who do not mind
 * that a quick pass shows an empty hand.
 */
window_ms: number, };

export type Clock = { move_s: number, reserve_s: number, };

export type UndoRule = "consent" | "own" | "never";

export type Spectators = "none" | "open" | "delayed";

export type NewTable = { settings: Settings, 
/**
 * Bots to seat at once, from the last seat backwards.
 */
bots?: Array<BotLevel>, 
/**
 * Begin as soon as every seat is taken.
 */
start?: boolean, 
/**
 * Begin from a moment of a finished game of this server, bots in the other seats: `record@step`.
 */
from?: string, 
/**
 * With `from`: the seat to play.
 */
seat?: number, };

export type NewTableReply = { id: string, 
/**
 * The path to share.
 */
link: string, };

export type Lobby = { 
/**
 * Listed tables with a free seat, newest first.
 */
open: Array<TableInfo>, 
/**
 * Listed tables that can be watched.
 */
playing: Array<TableInfo>, 
/**
 * The asker's own tables that are not over.
 */
mine: Array<TableInfo>, };

export type Me = { 
/**
 * Absent: nobody yet.
 */
name?: string, 
/**
 * With an account; otherwise a guest.
 */
account: boolean, };

export type SignIn = { name: string, passphrase: string, };

export type NewGuest = { name: string, };

export type GameSummary = { id: string, 
/**
 * When it began, in seconds since 1970.
 */
began: number, state: TableState, deck: string, 
/**
 * By seat.
 */
names: Array<string>, seat: number, winner?: number, reason?: string, turns: number, };

export type Problem = { 
/**
 * One word for programs.
 */
code: string, words: string, };

export type CardPage = { rulings: Array<string>, 
/**
 * Where its facts come from, in words.
 */
provenance: string, 
/**
 * The card as it is written in the card language.
 */
source: string, face: number, name: string, kind: Kind, 
/**
 * How many of them are in the game.
 */
copies: number, 
/**
 * The set's code.
 */
set: string, 
/**
 * The collector's number.
 */
number?: string, 
/**
 * The line below the name, as people read it.
 */
facts: string, 
/**
 * What it does, as people read it.
 */
text: Array<string>, 
/**
 * Of a room: `monster` or `trap`.
 */
subtype?: string, advanced?: boolean, 
/**
 * Of a room.
 */
damage?: number, 
/**
 * Of a hero.
 */
health?: number, 
/**
 * Of a hero: how many souls, or wounds, it is.
 */
souls?: number, 
/**
 * Of a boss.
 */
xp?: number, 
/**
 * Of a spell: `build`, `adventure`, or both.
 */
phases?: Array<string>, 
/**
 * What a room or boss has; what a hero looks for.
 */
treasure: Treasure, };

export type DeckInfo = { name: string, title: string, notes: Array<string>, 
/**
 * As it is written.
 */
text: string, most_players: number, };

export type DeckCheck = { 
/**
 * It can be played.
 */
ok: boolean, 
/**
 * What is wrong with it, with places; empty if nothing.
 */
problems: string, title: string, cards: Array<DeckCard>, advice: Array<DeckAdvice>, };

export type DeckText = { name: string, text: string, };

export type DeckCard = { name: string, set: string, kind: string, copies: number, };

export type DeckAdvice = { 
/**
 * It meets what the guide asks for.
 */
met: boolean, words: string, };

export type Replay = { start: Start, 
/**
 * By seat.
 */
seats: Array<ReplaySeat>, 
/**
 * The line that names the game: players, deck, variants, seed.
 */
setup: string, 
/**
 * The deal, then every answer.
 */
steps: Array<ReplayStep>, 
/**
 * Absent if it did not come to its own end.
 */
result?: ReplayResult, 
/**
 * Absent if the shuffle was taken over from another game.
 */
fairness?: FairShuffle, 
/**
 * The record was played again, and everything in it agreed.
 */
verified: boolean, 
/**
 * What was found.
 */
verdict: string, };

export type ReplaySeat = { name: string, 
/**
 * `person`, or the kind of bot.
 */
kind: string, };

export type ReplayStep = { 
/**
 * How many answers had been given after it.
 */
step: number, 
/**
 * Who answered; absent for the deal.
 */
seat?: number, turn: number, phase: Phase, 
/**
 * The answer; empty for a pass, and if these eyes did not see it.
 */
words: string, 
/**
 * What happened, sentence by sentence.
 */
told: Array<string>, };

export type ReplayResult = { winner: number, reason: string, turns: number, 
/**
 * By seat.
 */
souls: Array<number>, wounds: Array<number>, };

export type FairShuffle = { 
/**
 * SHA-256 of the secret, shown before the first card.
 */
commitment: string, secret: string, 
/**
 * What each seat's client added; zeros of those who added nothing.
 */
entropy: Array<string>, 
/**
 * SHA-256 of it all: what the cards were shuffled with.
 */
seed: string, };

export type ReplayMoment = { step: number, view: Table, events: Array<Happening>, 
/**
 * The question that was open then; absent at the end.
 */
decision?: Decision, };

export type Start = { 
/**
 * Whom the program plays.
 */
seat: number, players: number, ruleset: string, variants: Array<string>, 
/**
 * The game stops after this turn.
 */
last_turn?: number, 
/**
 * Every card of the game, with what is printed on it.
 */
cards: Array<CardText>, };

export type CardText = { face: number, name: string, kind: Kind, 
/**
 * How many of them are in the game.
 */
copies: number, 
/**
 * The set's code.
 */
set: string, 
/**
 * The collector's number.
 */
number?: string, 
/**
 * The line below the name, as people read it.
 */
facts: string, 
/**
 * What it does, as people read it.
 */
text: Array<string>, 
/**
 * Of a room: `monster` or `trap`.
 */
subtype?: string, advanced?: boolean, 
/**
 * Of a room.
 */
damage?: number, 
/**
 * Of a hero.
 */
health?: number, 
/**
 * Of a hero: how many souls, or wounds, it is.
 */
souls?: number, 
/**
 * Of a boss.
 */
xp?: number, 
/**
 * Of a spell: `build`, `adventure`, or both.
 */
phases?: Array<string>, 
/**
 * What a room or boss has; what a hero looks for.
 */
treasure: Treasure, };

export type Card = { id: number, kind: Kind, 
/**
 * Its entry among the cards of the game, by that entry's `face`.
 */
face?: number, };

export type Kind = "boss" | "room" | "spell" | "hero" | "epic";

export type Treasure = { cleric: number, fighter: number, mage: number, thief: number, };

export type Table = { 
/**
 * Whose eyes these are; absent for a spectator.
 */
seat?: number, turn: number, phase: Phase, 
/**
 * Whose time to build, or whose heroes' time it is.
 */
active?: number, 
/**
 * Player order; those who are out come last.
 */
order: Array<number>, 
/**
 * By seat.
 */
players: Array<Player>, town: Array<Hero>, 
/**
 * Declared actions that have not taken effect yet, oldest first.
 */
pending: Array<Pending>, discard: Array<Card>, decks: Decks, };

export type Phase = "setup" | "begin" | "build" | "bait" | "adventure" | "end";

export type Player = { seat: number, 
/**
 * Still in the game.
 */
playing: boolean, 
/**
 * Of somebody who is out, the turn in which they went. Souls and wounds are those of then.
 */
left?: number, boss?: Card, 
/**
 * The boss has levelled up.
 */
levelled: boolean, 
/**
 * Points; an epic hero counts two.
 */
souls: number, wounds: number, soul_cards: Array<Card>, wound_cards: Array<Card>, 
/**
 * Of the whole dungeon, boss included.
 */
treasure: Treasure, 
/**
 * From the boss to the entrance: heroes come from the end of this list.
 */
dungeon: Array<Room>, entrance: Array<Hero>, 
/**
 * Heroes on their way through the dungeon.
 */
inside: Array<Hero>, hand: Hand, };

export type Room = { card: Card, 
/**
 * What it deals now. Of a face-down room of one's own: what it would deal.
 */
damage: number, 
/**
 * Placed and not yet revealed.
 */
facedown: boolean, 
/**
 * Out of use until end of turn.
 */
deactivated: boolean, 
/**
 * The rooms under it, uppermost first.
 */
beneath: Array<Card>, };

export type Hero = { card: Card, health: number, 
/**
 * What it has taken.
 */
damage: number, 
/**
 * The id of the room it is in.
 */
room?: number, 
/**
 * Of a hero in town: who would lure it, if the Bait phase came now.
 */
lured_to?: number, 
/**
 * How it would fare there, or where it is.
 */
forecast?: Forecast, };

export type Forecast = { 
/**
 * Rooms in the order they are entered.
 */
rooms: Array<Walked>, fate: Fate, };

export type Walked = { 
/**
 * The room's id.
 */
room: number, 
/**
 * What the hero takes there.
 */
damage: number, };

export type Fate = "dies" | "wounds" | "stays_out";

export type Hand = { rooms: number, spells: number, cards: Array<Card>, };

export type Pending = { card: Card, 
/**
 * Who declared it.
 */
by: number, 
/**
 * It waits until everybody has passed.
 */
waiting: boolean, cancelled: boolean, 
/**
 * The ids of the cards that were chosen for it and are still there.
 */
cards: Array<number>, 
/**
 * The players that were chosen for it.
 */
players: Array<number>, };

export type Decks = { rooms: number, spells: number, heroes: number, epics: number, };

export type Decision = { seat: number, kind: Asked, 
/**
 * What exactly is asked: `act`, `cancel`, `first_room`, `build_now`, `choose`, `option`, `may`,
 * `which_first`, `keep_boss`, `mulligan`, `discard_two`, `machinations` or `machinations_deck`.
 */
question: string, 
/**
 * As people read it.
 */
words: string, 
/**
 * The card that asks.
 */
source?: Card, };

export type Asked = "priority" | "place" | "pick" | "yes_no" | "order";

export type Choice = { 
/**
 * As people read it.
 */
words: string, } & ({ "kind": "pass" } | { "kind": "yes" } | { "kind": "no" } | { "kind": "use", card: Card, 
/**
 * Which of its abilities, counted from 0.
 */
ability: number, } | { "kind": "build", card: Card, 
/**
 * Whose dungeon.
 */
dungeon: number, 
/**
 * Which place of it, counted from 0 at the boss; one past the last is a new place.
 */
place: number, 
/**
 * The room that is there now.
 */
on?: Card, } | { "kind": "pick", card?: Card, player?: number, class?: string, option?: number, });

export type Act = { "kind": "pass" } | { "kind": "yes" } | { "kind": "no" } | { "kind": "use", card: Card, 
/**
 * Which of its abilities, counted from 0.
 */
ability: number, } | { "kind": "build", card: Card, 
/**
 * Whose dungeon.
 */
dungeon: number, 
/**
 * Which place of it, counted from 0 at the boss; one past the last is a new place.
 */
place: number, 
/**
 * The room that is there now.
 */
on?: Card, } | { "kind": "pick", card?: Card, player?: number, class?: string, option?: number, };

export type Happening = { 
/**
 * As people read it.
 */
words: string, } & ({ "kind": "turn_begins", turn: number, } | { "kind": "phase_begins", phase: Phase, } | { "kind": "active", seat: number, } | { "kind": "boss_chosen", seat: number, card: Card, } | { "kind": "hand_dealt", seat: number, rooms: number, spells: number, } | { "kind": "mulligan", seat: number, } | { "kind": "arrives", card: Card, } | { "kind": "draws", seat: number, card: Card, } | { "kind": "reshuffled" } | { "kind": "shuffled", at: Where, } | { "kind": "places", seat: number, card: Card, dungeon: number, place: number, } | { "kind": "reveals", seat: number, card: Card, } | { "kind": "builds", seat: number, card: Card, place: number, } | { "kind": "levels_up", seat: number, card: Card, } | { "kind": "uses", seat: number, card: Card, } | { "kind": "chooses", seat: number, card: Card, } | { "kind": "chooses_player", seat: number, player: number, } | { "kind": "chooses_type", seat: number, class: string, } | { "kind": "waits", seat: number, card: Card, } | { "kind": "cancelled", card: Card, } | { "kind": "fizzles", card: Card, } | { "kind": "triggers", seat: number, card: Card, } | { "kind": "random", card: Card, } | { "kind": "looks", seat: number, at: Where, } | { "kind": "discards", seat: number, card: Card, } | { "kind": "takes", seat: number, card: Card, at: Where, } | { "kind": "shows", seat: number, card: Card, } | { "kind": "recovers", card: Card, } | { "kind": "destroyed", seat: number, card: Card, } | { "kind": "deactivated", card: Card, } | { "kind": "upright", card: Card, } | { "kind": "removed", card: Card, } | { "kind": "swapped", seat: number, card: Card, other: Card, } | { "kind": "healed", seat: number, card: Card, } | { "kind": "lured", seat: number, card: Card, } | { "kind": "stays_in_town", card: Card, } | { "kind": "hero_goes", card: Card, at: Where, } | { "kind": "hero_waits", card: Card, } | { "kind": "enters", card: Card, room: Card, } | { "kind": "damaged", card: Card, amount: number, } | { "kind": "dies", seat: number, card: Card, } | { "kind": "wounds", seat: number, card: Card, } | { "kind": "eliminated", seat: number, } | { "kind": "game_over", winner?: number, reason: string, });

export type What = { "kind": "turn_begins", turn: number, } | { "kind": "phase_begins", phase: Phase, } | { "kind": "active", seat: number, } | { "kind": "boss_chosen", seat: number, card: Card, } | { "kind": "hand_dealt", seat: number, rooms: number, spells: number, } | { "kind": "mulligan", seat: number, } | { "kind": "arrives", card: Card, } | { "kind": "draws", seat: number, card: Card, } | { "kind": "reshuffled" } | { "kind": "shuffled", at: Where, } | { "kind": "places", seat: number, card: Card, dungeon: number, place: number, } | { "kind": "reveals", seat: number, card: Card, } | { "kind": "builds", seat: number, card: Card, place: number, } | { "kind": "levels_up", seat: number, card: Card, } | { "kind": "uses", seat: number, card: Card, } | { "kind": "chooses", seat: number, card: Card, } | { "kind": "chooses_player", seat: number, player: number, } | { "kind": "chooses_type", seat: number, class: string, } | { "kind": "waits", seat: number, card: Card, } | { "kind": "cancelled", card: Card, } | { "kind": "fizzles", card: Card, } | { "kind": "triggers", seat: number, card: Card, } | { "kind": "random", card: Card, } | { "kind": "looks", seat: number, at: Where, } | { "kind": "discards", seat: number, card: Card, } | { "kind": "takes", seat: number, card: Card, at: Where, } | { "kind": "shows", seat: number, card: Card, } | { "kind": "recovers", card: Card, } | { "kind": "destroyed", seat: number, card: Card, } | { "kind": "deactivated", card: Card, } | { "kind": "upright", card: Card, } | { "kind": "removed", card: Card, } | { "kind": "swapped", seat: number, card: Card, other: Card, } | { "kind": "healed", seat: number, card: Card, } | { "kind": "lured", seat: number, card: Card, } | { "kind": "stays_in_town", card: Card, } | { "kind": "hero_goes", card: Card, at: Where, } | { "kind": "hero_waits", card: Card, } | { "kind": "enters", card: Card, room: Card, } | { "kind": "damaged", card: Card, amount: number, } | { "kind": "dies", seat: number, card: Card, } | { "kind": "wounds", seat: number, card: Card, } | { "kind": "eliminated", seat: number, } | { "kind": "game_over", winner?: number, reason: string, };

export type Where = { place: Site, 
/**
 * Whose it is.
 */
seat?: number, };

export type Site = "room_deck" | "spell_deck" | "hero_deck" | "epic_deck" | "discard" | "removed" | "town" | "table" | "box" | "hand" | "entrance" | "scoring" | "inside" | "boss" | "dungeon";

export const PROTOCOL = 2;
