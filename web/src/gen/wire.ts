// Generated from the server's types: UPDATE_EXPECT=1 cargo test -p server

export type ClientMsg = { "type": "hello", protocol: number, commitment?: string, } | { "type": "reveal", bytes: string, } | { "type": "act", seq: number, index: number, } | { "type": "hold", seq: number, } | { "type": "preview", seq: number, index: number, } | { "type": "why", card: number, } | { "type": "hint", seq: number, } | { "type": "stops", stops: Stops, } | { "type": "pass_on", until?: PassUntil, seq?: number, } | { "type": "ask_everywhere", on: boolean, } | { "type": "arm", card: number, when?: ArmedFor, } | { "type": "undo" } | { "type": "consent", request: number, yes: boolean, } | { "type": "sit", seat?: number, } | { "type": "stand" } | { "type": "bot", seat: number, level?: BotLevel, } | { "type": "remove", seat: number, } | { "type": "settings", settings: Settings, } | { "type": "start" } | { "type": "resign" } | { "type": "replace", seat: number, } | { "type": "back" } | { "type": "rematch", yes: boolean, } | { "type": "chat", text: string, } | { "type": "refresh" };

export type ServerMsg = { "type": "welcome", protocol: number, you: You, table: TableInfo, chat: Array<ChatLine>, } | { "type": "table", table: TableInfo, you: You, } | { "type": "cards", start: Start, } | { "type": "update" } & Update | { "type": "preview" } & Preview | { "type": "why", seq: number, card: number, words: string, } | { "type": "hint", seq: number, moves: Array<HintMove>, } | { "type": "undo_asked", request: number, seat: number, words: string, } | { "type": "undo_answered", request: number, granted: boolean, words: string, } | { "type": "disarmed", card: number, words: string, } | { "type": "chat", line: ChatLine, } | { "type": "refused", code: Refusal, words: string, seq?: number, } | { "type": "beat" } | { "type": "bye", code: CloseReason, words: string, };

export type Update = { 
/**
 * Grows with every change. Answers name it, so a late click cannot mean something else.
 */
seq: number, 
/**
 * A fresh start: show the table as it is; `events` is everything so far.
 */
fresh: boolean, view: Table, 
/**
 * What happened since the last update, in order; with `fresh` since the deal.
 */
events: Array<GameEvent>, 
/**
 * Who the game is waiting for.
 */
waiting?: WaitingFor, 
/**
 * The question, if it is yours.
 */
ask?: YourQuestion, 
/**
 * Your cards that can be armed.
 */
armable?: Array<number>, undo: Undo, over?: GameOver, };

export type WaitingFor = { seat: number, 
/**
 * In a window, where the player may act or pass.
 */
window: boolean, 
/**
 * When the table moves on by itself, in milliseconds from now.
 */
left_ms?: number, 
/**
 * A player is keeping the window open.
 */
held: boolean, };

export type YourQuestion = { decision: Decision, 
/**
 * The possible answers; never empty. `act` names one by its place, counted from 0.
 */
legal: Array<Choice>, 
/**
 * The answer that uses an armed card whose moment has come.
 */
armed?: number, };

export type Undo = { allowed: UndoAllowed, 
/**
 * Why, or why not.
 */
words: string, };

export type UndoAllowed = "freely" | "by_consent" | "no";

export type GameOver = { winner?: number, 
/**
 * `ten souls`, `last standing`, `all lost`, `no heroes left`, `stopped` or `resigned`; alone `last hero`,
 * `five wounds` or `a hero in the tavern`.
 */
reason: string, turns: number, 
/**
 * By seat.
 */
souls: Array<number>, wounds: Array<number>, 
/**
 * Only of a game for one.
 */
solo?: SoloResult, 
/**
 * Where to find the record, with everyone's cards open: `/record/{id}`.
 */
record: string, };

export type SoloResult = { score: number, title: string, 
/**
 * The boss's name.
 */
boss: string, };

export type Preview = { seq: number, index: number, words: string, 
/**
 * What it does to the player's own things.
 */
warning?: string, 
/**
 * The table as it would be; absent where chance has a hand in it.
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
 * Always ask when another player's spell or ability could be answered.
 */
answer_spells: boolean, };

export type StopAt = "concerning" | "every" | "never";

export type PassUntil = "hero" | "turn" | "concern";

export type Armed = { card: number, when: ArmedFor, };

export type ArmedFor = { "kind": "next_chance" } | { "kind": "hero_in_room", room: number, } | { "kind": "hero_survives", hero: number, };

export type You = { name: string, 
/**
 * Absent for a spectator.
 */
seat?: number, host: boolean, stops: Stops, 
/**
 * Everything is passed for you.
 */
passing?: PassUntil, 
/**
 * What you have armed.
 */
armed?: Array<Armed>, 
/**
 * A bot plays your seat until you say `back`.
 */
away: boolean, 
/**
 * You are back as soon as the bot has answered.
 */
returning?: boolean, 
/**
 * The host has removed you: you cannot sit at this table.
 */
removed?: boolean, 
/**
 * For whom you can have a bot play, with `replace`.
 */
may_replace?: Array<MayReplace>, };

export type MayReplace = { seat: number, 
/**
 * When a bot can play for them, in milliseconds from now.
 */
left_ms: number, 
/**
 * Who has agreed so far.
 */
agreed: Array<number>, 
/**
 * How many must agree.
 */
needed: number, };

export type ChatLine = { from: string, 
/**
 * Absent for a spectator.
 */
seat?: number, text: string, };

export type Refusal = "malformed" | "hello_first" | "stale" | "not_asked" | "not_legal" | "not_seated" | "not_host" | "not_now" | "seat_taken" | "too_fast" | "too_long" | "not_stored";

export type CloseReason = "protocol" | "no_such_table" | "cannot_restore" | "not_welcome" | "stopping" | "misbehaved" | "signed_out" | "closed";

export type TableInfo = { id: string, 
/**
 * Without the texts of a deck and of cards, which can be long: `GET /api/tables/{id}/deck` and `.../cards` have
 * them.
 */
settings: Settings, 
/**
 * It is played with a custom deck.
 */
own_deck: boolean, 
/**
 * How many different cards of its own it is played with, if any.
 */
own_cards?: number, state: TableState, seats: Array<SeatInfo>, 
/**
 * How many people are watching.
 */
spectators: number, 
/**
 * The hash of the server's part of the seed, in hexadecimal: fixed when the table is made.
 */
commitment: string, 
/**
 * From the start on: whose client has committed to what. A client that is `waiting` is asked to reveal.
 */
shuffle?: Array<ShuffleContribution>, turn: number, 
/**
 * The table of the rematch.
 */
rematch?: string, 
/**
 * A rematch that waits for the others to agree.
 */
proposal?: RematchProposal, };

export type ShuffleContribution = { seat: number, 
/**
 * The hash of its bytes, in hexadecimal.
 */
commitment: string, state: ContributionState, };

export type ContributionState = "waiting" | "revealed" | "absent";

export type TableState = "open" | "playing" | "over";

export type RematchProposal = { by: number, agreed: Array<number>, declined: Array<number>, };

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
 * The text of a custom deck, when a table is made.
 */
deck_text?: string, 
/**
 * The text of a card file of one's own, when a table is made. Its cards are added to the deck.
 */
cards_text?: string, 
/**
 * The rules to play by, and variants of them, by name.
 */
ruleset: string, variants: Array<string>, players: number, 
/**
 * Absent: no time limit.
 */
clock?: Clock, undo: UndoRule, spectators: Spectators, 
/**
 * Listed in the lobby; otherwise only people with the link can find it.
 */
listed: boolean, 
/**
 * How long a window stays open unless someone holds it, in milliseconds. 0 for tables of friends who do not mind
 * that a quick pass shows an empty hand.
 */
window_ms: number, };

export type Clock = { move_s: number, reserve_s: number, };

export type UndoRule = "consent" | "own" | "never";

export type Spectators = "none" | "open" | "delayed";

export type NewTable = { settings: Settings, 
/**
 * Bots for the last seats, from the last one backwards.
 */
bots?: Array<BotLevel>, 
/**
 * Start as soon as every seat is taken.
 */
start?: boolean, 
/**
 * Continue a finished game of this server from a moment of it, with bots in the other seats: `record@step`.
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
 * Listed tables that can be watched, newest first.
 */
playing: Array<TableInfo>, 
/**
 * Your own tables that are not over, newest first.
 */
mine: Array<TableInfo>, };

export type Me = { 
/**
 * Absent: no session yet.
 */
name?: string, 
/**
 * With an account; otherwise a guest.
 */
account: boolean, };

export type SignIn = { name: string, passphrase: string, };

export type NewGuest = { name: string, };

export type SessionInfo = { id: string, 
/**
 * In seconds since 1970.
 */
began: number, 
/**
 * When it was last used, to the hour.
 */
seen: number, 
/**
 * The kind of browser.
 */
about: string, 
/**
 * The one that asks.
 */
current: boolean, };

export type Revoke = { 
/**
 * The id of a session, or `others` for all but the one that asks.
 */
session: string, };

export type GameSummary = { id: string, 
/**
 * When it began, in seconds since 1970.
 */
began: number, state: TableState, deck: string, 
/**
 * By seat.
 */
names: Array<string>, seat: number, winner?: number, reason?: string, turns: number, };

export type Daily = { 
/**
 * Days since 1970, in UTC.
 */
day: number, 
/**
 * When the next one begins, in seconds since 1970.
 */
ends: number, 
/**
 * The hash of the day's secret, from which its cards follow, in hexadecimal.
 */
commitment: string, 
/**
 * The secret of the day before, if it was played.
 */
yesterday?: string, 
/**
 * The table of your attempt.
 */
table?: string, 
/**
 * The best of today, best first.
 */
scores: Array<DailyScore>, };

export type DailyScore = { 
/**
 * Counted from 1; equal scores share a place.
 */
place: number, name: string, 
/**
 * With an account; guests could have come back under another name.
 */
account: boolean, 
/**
 * Which attempt of the day from its network it is, counted from 1.
 */
attempt: number, score: number, title: string, boss: string, you: boolean, };

export type BossTitle = { boss: string, challenge: boolean, score: number, title: string, 
/**
 * Finished games with that boss.
 */
games: number, };

export type PuzzleInfo = { name: string, deck: string, ruleset: string, players: number, turn: number, 
/**
 * Yours.
 */
seat: number, boss?: CardText, goal: PuzzleGoal, 
/**
 * How many answers have to be found.
 */
answers: number, 
/**
 * How many of a hundred tries of the bots miss the line, each level counting the same.
 */
missed: number, difficulty: PuzzleDifficulty, };

export type PuzzleGoal = "win" | "survive";

export type PuzzleDifficulty = "easy" | "tricky" | "hard" | "fiendish";

export type PuzzlePosition = { puzzle: PuzzleInfo, 
/**
 * What the players are called in sentences, by seat.
 */
names: Array<string>, start: Start, view: Table, ask: YourQuestion, };

export type PuzzleReason = { words: string, };

export type PuzzleReply = { stage: PuzzleStage, 
/**
 * Your answer and everybody's after it, until you are asked again or it is over.
 */
moves: Array<PuzzleMove>, 
/**
 * The table after them.
 */
view: Table, 
/**
 * The next question.
 */
ask?: YourQuestion, };

export type PuzzleStage = "asked" | "solved" | "refuted";

export type PuzzleMove = { seat: number, 
/**
 * The answer; empty for a pass.
 */
words: string, events: Array<GameEvent>, };

export type PuzzleHint = { 
/**
 * What kind of answer it is, where that leaves something to find.
 */
kind?: string, 
/**
 * Its place among the answers.
 */
index: number, words: string, };

export type PuzzleSolution = { line: Array<PuzzleStep>, };

export type PuzzleStep = { seat: number, 
/**
 * The answer, in words.
 */
words: string, 
/**
 * No other answer works.
 */
only: boolean, };

export type Problem = { 
/**
 * A code for programs.
 */
code: string, words: string, };

export type CardPage = { rulings: Array<string>, 
/**
 * Where its data come from.
 */
provenance: string, 
/**
 * The card in the card language.
 */
source: string, face: number, name: string, 
/**
 * The name without its epithet, if it has one.
 */
short_name?: string, kind: Kind, 
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
 * Its text, as people read it.
 */
text: Array<string>, 
/**
 * Designed for this program or by its players, not printed in a box.
 */
house?: boolean, 
/**
 * From a card file of the table's own.
 */
own?: boolean, 
/**
 * Of a room.
 */
subtype?: Subtype, advanced?: boolean, 
/**
 * May be taken back into hand, once per turn.
 */
portable?: boolean, 
/**
 * Of a room.
 */
damage?: number, 
/**
 * Printed as `*`: the card's text says how much it deals.
 */
damage_varies?: boolean, 
/**
 * A dark hero.
 */
dark?: boolean, 
/**
 * A star hero: in the game whatever the number of players.
 */
star?: boolean, 
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
 * Of a spell: when it can be cast.
 */
phases?: Array<Phase>, 
/**
 * The treasure a room or boss has, or a hero seeks.
 */
treasure: Treasure, };

export type DeckInfo = { name: string, title: string, notes: Array<string>, 
/**
 * The deck file.
 */
text: string, most_players: number, };

export type DeckCheck = { 
/**
 * It can be played.
 */
ok: boolean, 
/**
 * What is wrong with it; empty if nothing is.
 */
problems: Array<DeckProblem>, title: string, cards: Array<DeckCard>, advice: Array<DeckAdvice>, };

export type DeckProblem = { 
/**
 * Counted from 1; absent if it is about the whole.
 */
line?: number, 
/**
 * In characters, counted from 1.
 */
column?: number, 
/**
 * What is wrong, in one line.
 */
message: string, 
/**
 * Why it is wrong.
 */
reason?: string, 
/**
 * How to fix it.
 */
help?: string, 
/**
 * It is possible all the same.
 */
warning?: boolean, };

export type DeckText = { name: string, text: string, };

export type DeckCard = { name: string, set: string, kind: Kind, copies: number, };

export type DeckAdvice = { 
/**
 * It follows the guide.
 */
met: boolean, words: string, };

export type BoxInfo = { code: string, title: string, 
/**
 * It has heroes of its own; all others are expansions.
 */
base: boolean, 
/**
 * Cards in it, copies included.
 */
cards: number, 
/**
 * All of its cards are of our own design.
 */
house: boolean, 
/**
 * The card on its lid.
 */
lid: string, };

export type MixInfo = { 
/**
 * The name of the deck, such as `bmr+crl`.
 */
name: string, title: string, notes: Array<string>, 
/**
 * The deck file.
 */
text: string, 
/**
 * The codes of its boxes; the first lends the heroes.
 */
boxes: Array<string>, 
/**
 * What it brings to the game.
 */
brings: Array<MixPart>, 
/**
 * Every other box: what adding it brings, or why it cannot be added. And every box in it: why it
 * cannot be taken out.
 */
steps: Array<MixStep>, 
/**
 * Every ruleset with every number of players.
 */
tables: Array<MixTable>, 
/**
 * The number it was drawn by, if nobody has chosen it.
 */
seed?: number, 
/**
 * What to play it by, if it was drawn for a number of players.
 */
advised?: MixTable, };

export type MixPart = { title: string, means: string, };

export type MixStep = { code: string, 
/**
 * The mix after it; absent if it cannot be done.
 */
name?: string, 
/**
 * What comes or goes with it.
 */
changes: Array<string>, 
/**
 * Why it cannot be done.
 */
why_not?: string, };

export type MixTable = { ruleset: string, players: number, 
/**
 * The variants it takes.
 */
variants: Array<string>, 
/**
 * Why it cannot be played.
 */
why_not?: string, };

export type CardsText = { text: string, };

export type CardsCheck = { 
/**
 * A table can be made with it.
 */
ok: boolean, 
/**
 * What is wrong with it, and warnings; empty if nothing is.
 */
problems: Array<DeckProblem>, 
/**
 * Of the set, if nothing is wrong.
 */
title: string, 
/**
 * Those that make sense, in the order of the file.
 */
cards: Array<OwnCard>, };

export type TableCards = { title: string, 
/**
 * The file.
 */
text: string, cards: Array<OwnCard>, };

export type OwnCard = { 
/**
 * Where it begins in the file, counted from 1.
 */
line: number, 
/**
 * The title of the set whose card of the same name it replaces.
 */
replaces?: string, rulings: Array<string>, 
/**
 * Where its data come from.
 */
provenance: string, 
/**
 * The card in the card language.
 */
source: string, face: number, name: string, 
/**
 * The name without its epithet, if it has one.
 */
short_name?: string, kind: Kind, 
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
 * Its text, as people read it.
 */
text: Array<string>, 
/**
 * Designed for this program or by its players, not printed in a box.
 */
house?: boolean, 
/**
 * From a card file of the table's own.
 */
own?: boolean, 
/**
 * Of a room.
 */
subtype?: Subtype, advanced?: boolean, 
/**
 * May be taken back into hand, once per turn.
 */
portable?: boolean, 
/**
 * Of a room.
 */
damage?: number, 
/**
 * Printed as `*`: the card's text says how much it deals.
 */
damage_varies?: boolean, 
/**
 * A dark hero.
 */
dark?: boolean, 
/**
 * A star hero: in the game whatever the number of players.
 */
star?: boolean, 
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
 * Of a spell: when it can be cast.
 */
phases?: Array<Phase>, 
/**
 * The treasure a room or boss has, or a hero seeks.
 */
treasure: Treasure, };

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
 * Absent if the game was not played to its end.
 */
result?: ReplayResult, 
/**
 * Absent if the shuffle was that of another game.
 */
fairness?: FairShuffle, 
/**
 * The record was replayed, and everything in it agreed.
 */
verified: boolean, 
/**
 * What the check found.
 */
verdict: string, };

export type ReplaySeat = { name: string, 
/**
 * `person`, or the kind of bot.
 */
kind: string, };

export type ReplayStep = { 
/**
 * How many answers have been given after it.
 */
step: number, 
/**
 * Who answered; absent for the deal.
 */
seat?: number, turn: number, phase: Phase, 
/**
 * The answer; empty for a pass, and if this viewer did not see it.
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
 * The hash of the secret, shown before the first card.
 */
commitment: string, secret: string, 
/**
 * By seat.
 */
players: Array<FairContribution>, 
/**
 * The hash of it all, with which the cards were shuffled.
 */
seed: string, };

export type FairContribution = { commitment?: string, bytes?: string, };

export type ReplayMoment = { step: number, view: Table, events: Array<GameEvent>, 
/**
 * The question that was open then; absent at the end.
 */
decision?: Decision, };

export type GameStory = { 
/**
 * The start of every turn, and the end.
 */
turns: Array<StoryTurn>, 
/**
 * Heroes that died or reached a boss, bosses that levelled up or were eliminated.
 */
moments: Array<StoryMoment>, 
/**
 * By seat.
 */
players: Array<StoryPlayer>, };

export type GameReview = { 
/**
 * In their order: at most three.
 */
points: Array<ReviewPoint>, };

export type ReviewPoint = { 
/**
 * How many answers had been given: for a choice, the table it was made at.
 */
step: number, turn: number, 
/**
 * `choice`: there was a better answer; `luck`.
 */
turned: string, 
/**
 * The chance of winning in percent: of a choice, with the best answer and with the one given; otherwise before and
 * after.
 */
before: number, after: number, words: string, };

export type StoryTurn = { 
/**
 * How many answers had been given.
 */
step: number, turn: number, 
/**
 * Everybody's chance to win in percent, by seat, as the bots' network estimates it from all cards.
 */
chances: Array<number>, 
/**
 * By seat.
 */
souls: Array<number>, wounds: Array<number>, };

export type StoryMoment = { 
/**
 * The step in which it happened.
 */
step: number, turn: number, 
/**
 * `dies`, `wounds`, `levels_up` or `eliminated`.
 */
kind: string, 
/**
 * Whom it happened to, or who gained by it.
 */
seat: number, words: string, };

export type StoryPlayer = { 
/**
 * Heroes that died for this player's souls.
 */
killed: number, 
/**
 * Heroes that reached the boss.
 */
survived: number, 
/**
 * Rooms placed or built.
 */
built: number, 
/**
 * Rooms destroyed.
 */
lost: number, 
/**
 * Spells cast.
 */
cast: number, 
/**
 * The room in which most heroes died.
 */
deadliest?: StoryRoom, };

export type StoryRoom = { face: number, kills: number, };

export type Start = { 
/**
 * The program's seat.
 */
seat: number, players: number, ruleset: string, variants: Array<string>, 
/**
 * The game stops after this turn.
 */
last_turn?: number, 
/**
 * The phases of a turn, in order.
 */
phases: Array<Phase>, 
/**
 * The classes in play: no other is counted or shown.
 */
classes: Array<Class>, 
/**
 * Every card of the game, with what is printed on it.
 */
cards: Array<CardText>, };

export type CardText = { face: number, name: string, 
/**
 * The name without its epithet, if it has one.
 */
short_name?: string, kind: Kind, 
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
 * Its text, as people read it.
 */
text: Array<string>, 
/**
 * Designed for this program or by its players, not printed in a box.
 */
house?: boolean, 
/**
 * From a card file of the table's own.
 */
own?: boolean, 
/**
 * Of a room.
 */
subtype?: Subtype, advanced?: boolean, 
/**
 * May be taken back into hand, once per turn.
 */
portable?: boolean, 
/**
 * Of a room.
 */
damage?: number, 
/**
 * Printed as `*`: the card's text says how much it deals.
 */
damage_varies?: boolean, 
/**
 * A dark hero.
 */
dark?: boolean, 
/**
 * A star hero: in the game whatever the number of players.
 */
star?: boolean, 
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
 * Of a spell: when it can be cast.
 */
phases?: Array<Phase>, 
/**
 * The treasure a room or boss has, or a hero seeks.
 */
treasure: Treasure, };

export type Card = { id: number, kind: Kind, 
/**
 * The `face` of its entry in the list of cards.
 */
face?: number, };

export type Kind = "boss" | "room" | "spell" | "hero" | "epic" | "item" | "miniboss";

export type Subtype = "monster" | "trap";

export type Class = "cleric" | "fighter" | "mage" | "thief" | "explorer";

export type Treasure = { [of in Class]?: number };

export type Table = { 
/**
 * The viewer; absent for a spectator.
 */
seat?: number, turn: number, phase: Phase, 
/**
 * Who may build now, or whose heroes walk now.
 */
active?: number, 
/**
 * Player order; eliminated players come last.
 */
order: Array<number>, 
/**
 * By seat.
 */
players: Array<Player>, town: Array<Hero>, 
/**
 * Items in town that no hero carries, oldest first.
 */
items?: Array<Card>, 
/**
 * Declared actions that have not taken effect yet, oldest first.
 */
pending: Array<Pending>, discard: Array<Card>, 
/**
 * How many cards are left in each deck.
 */
decks: { [key in Zone]?: number }, 
/**
 * Only in Super Boss Monster.
 */
board?: Board, 
/**
 * Only in a game for one.
 */
solo?: Solo, };

export type Phase = "setup" | "begin" | "build" | "bait" | "adventure" | "end" | "town" | "minion";

export type Player = { seat: number, 
/**
 * Still in the game.
 */
playing: boolean, 
/**
 * The turn in which the player was eliminated. Souls and wounds are those of that moment.
 */
left?: number, boss?: Card, 
/**
 * The boss has levelled up.
 */
levelled: boolean, 
/**
 * The `face` of the boss whose text this one has copied.
 */
copied?: number, 
/**
 * Coins in the hoard, if the game is played with coins.
 */
coins?: number, 
/**
 * Points; an epic hero counts two.
 */
souls: number, wounds: number, soul_cards: Array<Card>, wound_cards: Array<Card>, 
/**
 * Spells that lie in the scoring area, where their rules hold.
 */
laid_spells?: Array<Card>, 
/**
 * Claimed items; what is face up can be used.
 */
items?: Array<Item>, 
/**
 * Of the whole dungeon, boss included.
 */
treasure: Treasure, 
/**
 * From the boss to the entrance: heroes enter at the end of this list.
 */
dungeon: Array<Room>, entrance: Array<Hero>, 
/**
 * Heroes on their way through the dungeon.
 */
inside: Array<Hero>, hand: Hand, };

export type Item = { card: Card, facedown: boolean, 
/**
 * Claimed this turn: it can be used from the next one on.
 */
new?: boolean, };

export type Miniboss = { card: Card, 
/**
 * From 1 to 3.
 */
level: number, 
/**
 * Revealed this turn: it cannot be promoted yet.
 */
new?: boolean, 
/**
 * Placed and not yet revealed.
 */
facedown: boolean, };

export type Room = { card: Card, 
/**
 * What it deals now; for the viewer's face-down room, what it would deal.
 */
damage: number, 
/**
 * Counters on it; they are part of the damage.
 */
counters?: number, 
/**
 * Coins on it.
 */
coins?: number, 
/**
 * The miniboss that belongs to it.
 */
miniboss?: Miniboss, 
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
 * What a token adds to its health, or takes from it; part of the health.
 */
token?: number, 
/**
 * The landmark it will be pushed to in the next Town phase, if nothing but the bait and new
 * heroes moves it.
 */
pushed_to?: Landmark, 
/**
 * The id of the room it is in.
 */
room?: number, 
/**
 * The item it carries.
 */
item?: Card, 
/**
 * For a hero in town: who would lure it if the Bait phase were now.
 */
lured_to?: number, 
/**
 * How it would fare there, or in the dungeon it is at.
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
damage: number, 
/**
 * All it has taken when it leaves the room, or dies in it.
 */
taken: number, };

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

export type Board = { 
/**
 * Who has the first-player marker.
 */
first: number, market: Array<Card>, 
/**
 * Places in town: the hero who finds none pushes the oldest out.
 */
places: number, 
/**
 * From left to right; the Tavern is the last.
 */
landmarks: Array<Site>, 
/**
 * Minions that are not at home.
 */
minions: Array<Minion>, };

export type Site = { landmark: Landmark, name: string, 
/**
 * Oldest first: in the Tavern the last one lies on top.
 */
heroes: Array<Hero>, 
/**
 * The health token of the hero who is summoned here.
 */
token: number, 
/**
 * Its action spaces that are not covered now.
 */
spaces: Array<Errand>, 
/**
 * The hero whom a minion would summon, as it would be then.
 */
summoned?: Summoned, };

export type Summoned = { 
/**
 * The hero's id.
 */
card: number, 
/**
 * With the token.
 */
health: number, 
/**
 * How it would fare in the dungeon of each player, by seat.
 */
forecasts: Array<Forecast>, };

export type Landmark = "temple" | "stadium" | "library" | "hideout" | "launchpad" | "tavern";

export type Minion = { seat: number, space?: Space, 
/**
 * The id of the room or boss it stands on.
 */
card?: number, };

export type Space = { landmark: Landmark, errand: Errand, };

export type Errand = "treasure" | "service" | "summon";

export type Solo = { 
/**
 * Souls minus wounds.
 */
score: number, 
/**
 * What that is worth.
 */
title: string, 
/**
 * The next better title, and the score it needs.
 */
next_title?: string, next_score?: number, 
/**
 * The treasure that lures a hero, by place in town from the left.
 */
needed: Array<number>, };

export type Decision = { seat: number, kind: QuestionKind, 
/**
 * What exactly is asked: `act`, `cancel`, `first_room`, `build_now`, `choose`, `option`, `may`,
 * `which_first`, `keep_boss`, `mulligan`, `discard_two`, `machinations`, `machinations_deck`,
 * `draft`, `place_minion` or `minion_asks`.
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

export type QuestionKind = "priority" | "place" | "pick" | "yes_no" | "order";

export type Choice = { 
/**
 * As people read it.
 */
words: string, 
/**
 * What the card's name alone does not say, such as `your soul`; also part of `words`.
 */
note?: string, } & ({ "kind": "pass" } | { "kind": "yes" } | { "kind": "no" } | { "kind": "use", card: Card, 
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
on?: Card, } | { "kind": "promote", card: Card, } | { "kind": "sell", card: Card, } | { "kind": "take_back", card: Card, } | { "kind": "pick", card?: Card, player?: number, class?: Class, option?: number, 
/**
 * An action space of the town board.
 */
space?: Space, number?: number, });

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
on?: Card, } | { "kind": "promote", card: Card, } | { "kind": "sell", card: Card, } | { "kind": "take_back", card: Card, } | { "kind": "pick", card?: Card, player?: number, class?: Class, option?: number, 
/**
 * An action space of the town board.
 */
space?: Space, number?: number, };

export type GameEvent = { 
/**
 * Who does it; absent if the rules or a hero do.
 */
actor?: number, 
/**
 * The card that causes it; absent if the rules do.
 */
cause?: Card, 
/**
 * The card it happens to.
 */
card?: Card, 
/**
 * The room the hero is in, or the other room of two that change places.
 */
room?: Card, 
/**
 * The player it happens to: chosen, eliminated, or the winner.
 */
player?: number, 
/**
 * Where the card was; for an event about a whole pile, that pile.
 */
from?: Where, 
/**
 * Where the card is now; absent if it stays where it is.
 */
to?: Where, 
/**
 * The sentence for the reader; empty if another event tells it.
 */
words: string, } & ({ "kind": "turn_begins", turn: number, } | { "kind": "phase_begins", phase: Phase, } | { "kind": "phase_idles", phase: Phase, } | { "kind": "player_begins" } | { "kind": "mulligan", rooms: number, spells: number, } | { "kind": "reshuffled", rooms: number, spells: number, } | { "kind": "shuffled" } | { "kind": "levels_up" } | { "kind": "copies" } | { "kind": "eliminated", souls: number, wounds: number, } | { "kind": "game_over", reason: Ending, } | { "kind": "uses", 
/**
 * Which of the card's abilities, counted from 0.
 */
ability: number, } | { "kind": "casts" } | { "kind": "triggers" } | { "kind": "waits" } | { "kind": "cancelled" } | { "kind": "fizzles" } | { "kind": "resolved" } | { "kind": "chooses" } | { "kind": "chooses_player" } | { "kind": "chooses_class", class: Class, } | { "kind": "random" } | { "kind": "rolls", sides: number, face: number, } | { "kind": "looks" } | { "kind": "shows" } | { "kind": "keeps_boss" } | { "kind": "sets_aside" } | { "kind": "draws" } | { "kind": "discards" } | { "kind": "takes" } | { "kind": "lays_down" } | { "kind": "removed" } | { "kind": "stocks" } | { "kind": "sends_minion", space: Space | null, } | { "kind": "minion_acts", space: Space | null, } | { "kind": "minion_idles" } | { "kind": "minions_return" } | { "kind": "gains_treasure", class: Class, } | { "kind": "last_room_gains", damage: number, } | { "kind": "pushed_out" } | { "kind": "gets_token", token: number, health: number, } | { "kind": "stack_shuffled", 
/**
 * The stack is complete.
 */
last: boolean, } | { "kind": "becomes_first" } | { "kind": "places" } | { "kind": "reveals", 
/**
 * What it deals now.
 */
damage: number, } | { "kind": "builds", damage: number, } | { "kind": "destroyed" } | { "kind": "counters", by: number, 
/**
 * All that lie on it now.
 */
counters: number, damage: number, } | { "kind": "coins", by: number, 
/**
 * All in the hoard now.
 */
coins: number, } | { "kind": "coins_on", by: number, coins: number, damage: number, } | { "kind": "sells" } | { "kind": "joins_room", level: number, } | { "kind": "level", level: number, up: boolean, } | { "kind": "unpaid" } | { "kind": "chooses_number", number: number, } | { "kind": "comes_up", damage: number, } | { "kind": "deactivated" } | { "kind": "reactivated" } | { "kind": "damage_changes", by: number, damage: number, } | { "kind": "treasure_changes", class: Class, by: number, treasure: number, } | { "kind": "swapped" } | { "kind": "points_change", souls: number, wounds: number, } | { "kind": "item_arrives" } | { "kind": "carries", 
/**
 * The hero's.
 */
health: number, } | { "kind": "claims", faceup: boolean, } | { "kind": "turns_item", faceup: boolean, } | { "kind": "arrives", health: number, } | { "kind": "lured", 
/**
 * What counts for this hero, of that player and of the next best; alone, what it needed.
 */
count: number, next: number, } | { "kind": "stays_in_town", count: number, next: number, } | { "kind": "wants_more", count: number, needed: number, } | { "kind": "goes" } | { "kind": "stays_out" } | { "kind": "enters_dungeon" } | { "kind": "enters" } | { "kind": "damaged", amount: number, 
/**
 * All it has taken so far.
 */
taken: number, health: number, } | { "kind": "recovers" } | { "kind": "health_changes", by: number, health: number, } | { "kind": "skips_rooms", rooms: number, } | { "kind": "dies", souls: number, } | { "kind": "wounds", wounds: number, } | { "kind": "scores", points: number, } | { "kind": "healed", points: number, } | { "kind": "turned_over", points: number, });

export type What = { "kind": "turn_begins", turn: number, } | { "kind": "phase_begins", phase: Phase, } | { "kind": "phase_idles", phase: Phase, } | { "kind": "player_begins" } | { "kind": "mulligan", rooms: number, spells: number, } | { "kind": "reshuffled", rooms: number, spells: number, } | { "kind": "shuffled" } | { "kind": "levels_up" } | { "kind": "copies" } | { "kind": "eliminated", souls: number, wounds: number, } | { "kind": "game_over", reason: Ending, } | { "kind": "uses", 
/**
 * Which of the card's abilities, counted from 0.
 */
ability: number, } | { "kind": "casts" } | { "kind": "triggers" } | { "kind": "waits" } | { "kind": "cancelled" } | { "kind": "fizzles" } | { "kind": "resolved" } | { "kind": "chooses" } | { "kind": "chooses_player" } | { "kind": "chooses_class", class: Class, } | { "kind": "random" } | { "kind": "rolls", sides: number, face: number, } | { "kind": "looks" } | { "kind": "shows" } | { "kind": "keeps_boss" } | { "kind": "sets_aside" } | { "kind": "draws" } | { "kind": "discards" } | { "kind": "takes" } | { "kind": "lays_down" } | { "kind": "removed" } | { "kind": "stocks" } | { "kind": "sends_minion", space: Space | null, } | { "kind": "minion_acts", space: Space | null, } | { "kind": "minion_idles" } | { "kind": "minions_return" } | { "kind": "gains_treasure", class: Class, } | { "kind": "last_room_gains", damage: number, } | { "kind": "pushed_out" } | { "kind": "gets_token", token: number, health: number, } | { "kind": "stack_shuffled", 
/**
 * The stack is complete.
 */
last: boolean, } | { "kind": "becomes_first" } | { "kind": "places" } | { "kind": "reveals", 
/**
 * What it deals now.
 */
damage: number, } | { "kind": "builds", damage: number, } | { "kind": "destroyed" } | { "kind": "counters", by: number, 
/**
 * All that lie on it now.
 */
counters: number, damage: number, } | { "kind": "coins", by: number, 
/**
 * All in the hoard now.
 */
coins: number, } | { "kind": "coins_on", by: number, coins: number, damage: number, } | { "kind": "sells" } | { "kind": "joins_room", level: number, } | { "kind": "level", level: number, up: boolean, } | { "kind": "unpaid" } | { "kind": "chooses_number", number: number, } | { "kind": "comes_up", damage: number, } | { "kind": "deactivated" } | { "kind": "reactivated" } | { "kind": "damage_changes", by: number, damage: number, } | { "kind": "treasure_changes", class: Class, by: number, treasure: number, } | { "kind": "swapped" } | { "kind": "points_change", souls: number, wounds: number, } | { "kind": "item_arrives" } | { "kind": "carries", 
/**
 * The hero's.
 */
health: number, } | { "kind": "claims", faceup: boolean, } | { "kind": "turns_item", faceup: boolean, } | { "kind": "arrives", health: number, } | { "kind": "lured", 
/**
 * What counts for this hero, of that player and of the next best; alone, what it needed.
 */
count: number, next: number, } | { "kind": "stays_in_town", count: number, next: number, } | { "kind": "wants_more", count: number, needed: number, } | { "kind": "goes" } | { "kind": "stays_out" } | { "kind": "enters_dungeon" } | { "kind": "enters" } | { "kind": "damaged", amount: number, 
/**
 * All it has taken so far.
 */
taken: number, health: number, } | { "kind": "recovers" } | { "kind": "health_changes", by: number, health: number, } | { "kind": "skips_rooms", rooms: number, } | { "kind": "dies", souls: number, } | { "kind": "wounds", wounds: number, } | { "kind": "scores", points: number, } | { "kind": "healed", points: number, } | { "kind": "turned_over", points: number, };

export type Where = { zone: Zone, 
/**
 * Whose it is.
 */
seat?: number, 
/**
 * In a dungeon: the stack, counted from 0 at the boss. For a hero inside: the stack of its
 * room.
 */
slot?: number, 
/**
 * A room not yet revealed; in a scoring area, a soul.
 */
facedown?: boolean, 
/**
 * In a scoring area: what it counts after the event.
 */
score?: Score, };

export type Score = { souls: number, wounds: number, };

export type Ending = "souls" | "last_standing" | "all_lost" | "stalled" | "stopped" | "compared" | "last_epic" | "wounds" | "tavern";

export type Zone = "room_deck" | "spell_deck" | "hero_deck" | "epic_deck" | "discard" | "removed" | "town" | "pending" | "box" | "hand" | "entrance" | "scoring" | "inside" | "boss" | "dungeon" | "attached" | "item_deck" | "market" | "landmark" | "town_items";

/** What a card can be, and where it lies before the game. */
export const KIND_WORDS: Readonly<Record<Kind, { name: string, plural: string, home: Zone }>> = {
  "boss": {"name":"Boss","plural":"Bosses","home":"box"},
  "room": {"name":"Room","plural":"Rooms","home":"room_deck"},
  "spell": {"name":"Spell","plural":"Spells","home":"spell_deck"},
  "hero": {"name":"Hero","plural":"Heroes","home":"hero_deck"},
  "epic": {"name":"Epic hero","plural":"Epic heroes","home":"epic_deck"},
  "item": {"name":"Item","plural":"Items","home":"item_deck"},
  "miniboss": {"name":"Miniboss","plural":"Minibosses","home":"room_deck"},
};

/** The parts of a turn, as a bar lists them. */
export const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  "setup": "Setup",
  "begin": "Begin",
  "build": "Build",
  "bait": "Bait",
  "adventure": "Adventure",
  "end": "End",
  "town": "Town",
  "minion": "Minion",
};

/** The words of deck files for parts of a set, and the kinds of cards in them. */
export const DECK_PARTS: Readonly<Record<string, readonly Kind[]>> = {
  "set": ["boss","room","spell","hero","epic","item","miniboss"],
  "bosses": ["boss"],
  "rooms": ["room"],
  "minibosses": ["miniboss"],
  "spells": ["spell"],
  "heroes": ["hero","epic"],
  "items": ["item"],
};

/** The treasure classes. */
export const CLASS_WORDS: Readonly<Record<Class, { name: string, letter: string }>> = {
  "cleric": {"name":"cleric","letter":"C"},
  "fighter": {"name":"fighter","letter":"F"},
  "mage": {"name":"mage","letter":"M"},
  "thief": {"name":"thief","letter":"T"},
  "explorer": {"name":"explorer","letter":"E"},
};

/** Every level with its title, weakest first. */
export const BOT_LEVELS: Readonly<Record<BotLevel, string>> = {
  "kobold": "Kobold",
  "minion": "Minion",
  "mini-boss": "Mini Boss",
  "boss": "Boss",
  "total-boss": "Total Boss",
  "grand-boss": "Grand Boss",
};

/** A ruleset or variant that settings can name. */
export type RulesChoice = { name: string, title: string, means: string };

/** A ruleset, the deck it is usually played with, and whether it is a game for one. */
export type RulesetChoice = RulesChoice & { deck: string, alone: boolean };

export const RULESETS: readonly RulesetChoice[] = [
  { name: "classic", title: "Classic", means: "Ten souls win, five wounds lose.", deck: "bmr", alone: false },
  { name: "crash", title: "Crash Landing", means: "Five or six play; ties share the heroes out, and nobody is eliminated.", deck: "bmr", alone: false },
  { name: "super", title: "Super Boss Monster", means: "A town board with a market, landmarks and minions; the best score wins.", deck: "sbm", alone: false },
  { name: "solo", title: "Solo", means: "Super Boss Monster for one: score as high as you can.", deck: "sbm-solo", alone: true },
  { name: "challenge", title: "Solo challenge", means: "Solo, and every hero wants one treasure more.", deck: "sbm-solo", alone: true },
];

export const VARIANTS: readonly RulesChoice[] = [
  { name: "classic", title: "Classic Mode", means: "Everybody discards two cards before the first turn." },
  { name: "hard", title: "Hard Mode", means: "No ordinary heroes with 4 health." },
  { name: "choose-boss", title: "I Choose You", means: "Two bosses are dealt to each; keep one." },
  { name: "machinations", title: "Machinations", means: "No soul this turn? Draw a card." },
  { name: "unlimited-lives", title: "Unlimited Lives", means: "Wounds eliminate nobody; the best score wins at the end." },
  { name: "stars", title: "Star Heroes", means: "The star heroes of small packs take the places of heroes like them." },
];

export const PROTOCOL = 5;
