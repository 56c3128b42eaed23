/** Every word of the pages around the table, in English. */
export const say = {
  /** Packs that are no game by themselves, and so no deck. */
  title: "Lair",
  titleOf: (page: string) => `${page} · Lair`,
  tagline: "Build a dungeon. Lure the heroes. Let none of them out.",
  skip: "Skip to content",
  waiting: "Loading …",
  close: "Close",

  nav: {
    label: "Pages",
    home: "Lair: title screen",
    learn: "Learn",
    puzzles: "Puzzles",
    cards: "Cards",
    decks: "Decks",
    own: "Own cards",
    rules: "Rules",
    games: "My games",
    account: "Sign in",
  },
  doors: {
    learn: "Five minutes, one real game.",
    puzzles: "One turn, one way out. Find it.",
    cards: "Every card and what it does.",
    decks: "Pick one, or build and share your own.",
    own: "Make some up, and play them with friends.",
    rules: "Numbered and searchable.",
    games: "Watch them again, step by step.",
  },
  footer: {
    notice:
      "Lair is an unofficial fan project. Boss Monster is a trademark of its publisher, Brotherwise Games, who own the game and neither take part in nor endorse Lair. None of their art, logos or card text is used.",
    code: "Lair's own code, pictures and texts are licensed under MIT or Apache-2.0, at your option.",
    fonts: "The fonts are licensed under the SIL Open Font License:",
  },
  outdated: { words: "The server was updated after you opened this page.", reload: "Reload" },
  failure: { title: "Something went wrong", again: "Try again" },
  notFound: {
    title: "Solid rock",
    lead: "There is no page here. The link may be incomplete, or the page has moved.",
    home: "Back to the title screen",
  },

  problems: {
    offline: "The server isn't responding. Check your connection, or try again in a moment.",
    unknown: "Something unexpected went wrong. Reloading the page may help.",
    mistake: (words: string) => `An error on this page: ${words}. Reloading may help.`,
    status: (status: number) => `The server returned error ${status}. Try again in a moment.`,
    byCode: {
      no_session: "You aren't signed in. Play a game or sign in first.",
      not_json: "The server didn't understand the request. Reloading may help.",
    },
  },

  names: {
    first: [
      "Damp",
      "Patient",
      "Sly",
      "Grumpy",
      "Hungry",
      "Polite",
      "Rusty",
      "Sleepy",
      "Wobbly",
      "Gleeful",
      "Dusty",
      "Sticky",
      "Humble",
      "Crooked",
      "Velvet",
      "Ticklish",
    ],
    second: [
      "Mimic",
      "Lich",
      "Slime",
      "Golem",
      "Kobold",
      "Imp",
      "Wraith",
      "Dragon",
      "Gargoyle",
      "Mummy",
      "Spider",
      "Basilisk",
      "Ogre",
      "Phantom",
      "Toad",
      "Skeleton",
    ],
  },

  home: {
    friends: "Play with friends",
    learn: "Learn in five minutes",
    lobby: "Lobby",
    open: (tables: number) => `${tables} open`,
    alone: "Play alone",
    aloneDoors: {
      solo: { title: "Solo", means: "One boss, one town, a score and a title. House cards." },
      challenge: { title: "Challenge", means: "Solo, and every hero wants one treasure more." },
      daily: { title: "Today's dungeon", means: "The same cards for everybody. One attempt counts." },
    },
    youAre: (name: string) => `You are ${name}`,
  },
  play: {
    now: "Play now",
    shuffling: "Shuffling …",
    whom: "Opponent",
    more: "Name, opponents, deck",
    ownCards: "With cards of your own …",
    name: "Your name",
    opponents: "Opponents",
    deck: "Deck",
    usualDeck: "The original box",
    game: "Game",
    games: { classic: "Boss Monster", super: "Super Boss Monster" },
    superLearn: "Learn it in three minutes.",
    superMeans: "A town board with a market, landmarks and minions. Played with house cards.",
    /** What kind of opponent each bot is. */
    levels: {
      kobold: "Kobold: builds whatever is shiny. Loses cheerfully.",
      minion: "Minion: knows the rules, forgets the plan.",
      "mini-boss": "Mini Boss: grabs every soul within reach.",
      boss: "Boss: thinks ahead. A fair fight.",
      "total-boss": "Total Boss: thinks longer, and remembers.",
      "grand-boss": "Grand Boss: thinks longest. You have been warned.",
    },
  },
  options: {
    players: "Players",
    ownDeck: "Your own deck",
    upTo: (deck: string, most: number) => `${deck} (up to ${most} players)`,
    otherDeck: (deck: string, most: number, other: string) =>
      `${deck} is for up to ${most} players, so the deck is now ${other}.`,
    crowd:
      "Games with five or six players use Unlimited Lives and a deck with rooms of at least two base games.",
    ruleset: "Rules",
    variants: "Variants",
    clock: "Clock",
    clocks: {
      none: "No limit",
      calm: "Relaxed: 90 s per move, 10 min in reserve",
      brisk: "Brisk: 30 s per move, 3 min in reserve",
      letters: "Correspondence: one day per move",
    },
    undo: "Undo",
    undos: {
      consent: "If the others agree",
      own: "Until someone else acts",
      never: "Never",
    },
    spectators: "Spectators",
    watching: { open: "Allowed", delayed: "Allowed, one minute behind", none: "Not allowed" },
    window: "Time to respond",
    windows: (seconds: number) => (seconds === 0 ? "No wait" : `${seconds} s`),
    windowWhy:
      "The game waits at least this long for responses, whether or not anyone has one. With “No wait”, a quick pass can give away that you have nothing.",
    listed: "Show in the lobby",
    listedMeans: "Anyone can join. Otherwise players need the link.",
  },
  lobby: {
    mine: "Continue",
    open: "Open tables",
    playing: "Watch",
    continue: "Continue",
    join: "Join",
    watch: "Watch",
    looking: "Looking for tables …",
    noneOpen: "Nobody is waiting. Open a table and show it here: Play with friends, Options.",
    nonePlaying: "No public games right now.",
    nobody: "No players yet",
    ownDeck: "a custom deck",
    ownCards: (cards: number) => (cards === 1 ? "1 own card" : `${cards} own cards`),
    turn: (turn: number) => `turn ${turn}`,
    title: "Lobby",
    free: (free: number, all: number) => (free === 0 ? "full" : `${free} of ${all} seats free`),
    bots: (levels: readonly string[]) => `bots: ${levels.join(", ")}`,
    clock: (seconds: number) => `${seconds} s per move`,
    own: "Open a table of your own",
    more: (more: number) => (more === 1 ? "and 1 more game" : `and ${more} more games`),
  },

  copied: "Copied",
  cards: {
    title: "Cards",
    lead: "Every card, in our own words. The text is generated from the code the game runs, so it always matches what the card does.",
    search: "Search name, text, ruling …",
    kind: "Kind",
    class: "Treasure",
    set: "Box",
    subtype: "Subtype",
    rank: "Ordinary or advanced",
    all: "All",
    any: "Any",
    allSets: "All boxes",
    allSubtypes: "Monsters and traps",
    allRanks: "Ordinary and advanced",
    ordinary: "Ordinary rooms",
    advanced: "Advanced rooms",
    count: (count: number, of: number) => (count === of ? `${of} different cards` : `${count} of ${of}`),
    /** What of a box is published, and what is ours. */
    about: (published: number, house: number) =>
      house === 0
        ? "Every card of this box is published; the words are ours."
        : published === 0
          ? "Every card here is a house card: designed for this program, not printed in the box."
          : `${published} cards of this box are published, ${house} ${house === 1 ? "is a house card" : "are house cards"}: designed for this program, and marked.`,
    /** What is known of the boxes that we filled with cards of our own. */
    known: {
      IOD: "Of the published box we know that it has 24 items and five bosses, one of them Banseer Bivan, the explorer.",
      POP: "Of the published box we know that it has ten portable rooms and a boss, what portable means, and the names Mobi, Master’s Hand and War Turtle.",
      LST: "Of the published box we know that it has four rooms and a boss.",
      KNG: "Of the published pack we know that it has six star heroes and an epic one.",
      VOV: "Of the published box we know that it has 50 rooms, nine spells, five bosses and minibosses, coins, and some explorer cards.",
    } as Readonly<Record<string, string>>,
    clear: "Show all",
    found: "Cards found",
    empty: "No cards match. Not yet.",
    unknown: (key: string) => `There is no card called “${key}”. The link may be out of date.`,
    facts: "Facts",
    from: "From",
    copies: (count: number) => (count === 1 ? "1 copy" : `${count} copies`),
    provenance: "Source of the facts",
    noRulings: "None. It does what it says.",
    source: "In the card language",
    previous: (name: string) => `Previous card: ${name}`,
    next: (name: string) => `Next card: ${name}`,
    copy: "Copy link",
  },
  rules: {
    title: "Rules",
    lead: "A turn in five pictures. Every last detail comes after them.",
    turn: {
      title: "A turn",
      panels: {
        begin: {
          title: "Beginning",
          alt: "Two heroes with hearts over their heads stand in the town; a room card is drawn.",
          lines: ["Heroes come to town, one for each player.", "You draw a room card."],
        },
        build: {
          title: "Build",
          alt: "A boarded-up room beside an open room with a golem in it.",
          lines: [
            "Place one room face down: beside your rooms, or on one of them.",
            "Then all are revealed together.",
          ],
        },
        bait: {
          title: "Bait",
          alt: "A fighter walks towards a dungeon entrance, lured by a sword.",
          lines: ["Each hero goes where there is most of its treasure.", "On a tie it stays in town."],
        },
        adventure: {
          title: "Adventure",
          alt: "A wounded hero stumbles through two rooms full of traps and monsters.",
          lines: [
            "Heroes take damage in every room. Dead: you get a soul.",
            "Alive at the end: you take a wound.",
          ],
        },
        end: {
          title: "End",
          alt: "A boss beside ten soul crystals and five drops of blood.",
          lines: ["Ten souls and you win. Five wounds and you are out.", "Otherwise, another turn."],
        },
      },
    },
    all: "Every rule",
    search: "Search the rules …",
    contents: "Contents",
    hits: (hits: number) => (hits === 0 ? "Nothing found." : hits === 1 ? "1 match" : `${hits} matches`),
    none: "No rule mentions that. Perhaps a card does.",
    rule: (number: string) => `Rule ${number}`,
  },
  editor: {
    place: (line: number, column: number) => `line ${line}, column ${column}`,
    problems: "What is wrong",
    warning: "Possible, but",
  },
  decks: {
    title: "Decks",
    lead: "The cards you play with. Take a deck as it is, or build your own.",
    choose: "Choose a deck",
    players: (most: number) => `for 2 to ${most} players`,
    ownTitle: "Your own deck",
    ownLead: "Pick boxes, slide cards in and out. Saved in this browser.",
    mixTitle: "Mix boxes",
    mixLead: "Any base game with any expansions, for one to six. Or let us surprise you.",
    mixer: {
      bases: "Base games",
      others: "Expansions",
      heroes: "Heroes of",
      cards: (count: number) => `${count} cards`,
      house: "our own design",
      lends: "its heroes",
      added: "Brings",
      without: "Without it, no",
      brings: "What this mix brings",
      plain: "Bosses, rooms, spells and heroes, and nothing else to learn.",
      tables: "Who can play it",
      choose: (ruleset: string, players: number) =>
        players === 1 ? `${ruleset}, alone` : `${ruleset}, ${players} players`,
      not: (players: string) => `Not for ${players}`,
      surprise: "Surprise us",
      drawn: (seed: number) => `drawn by number ${seed}`,
      play: "Play this mix",
    },
    untitled: "Untitled deck",
    mine: "(mine)",
    play: "Play this deck",
    adopt: "Copy and edit",
    share: "Copy link",
    save: "Download",
    text: "The deck as text",
    format:
      "deck TITLE · note TEXT · set CODE · bosses, rooms, spells or heroes CODE · NAME xN (x0 leaves a card out) · # a comment",
    example: "deck Goblin market\nnote More goblins for everyone.\nset BMR\nGoblin Armory x4\n",
    balance: "Balance",
    noBalance: "Shown once the deck has no errors.",
    contents: "Cards",
    edit: "How to edit it",
    tabs: { cards: "Cards", text: "As text" },
    name: "Name",
    boxes: "Boxes",
    boxCards: (count: number) => `${count} cards`,
    partly: "partly in",
    onlyIn: "Only cards that are in",
    toText: "Show it in the text",
    reset: "Undo all changes",
    change: (by: number) => (by > 0 ? `+${by}` : `−${-by}`),
    slider: (name: string) => `Copies of ${name}`,
    sum: (count: number) => `${count}`,
    more: (name: string) => `One more ${name}`,
    fewer: (name: string) => `One ${name} fewer`,
    copiesOf: (count: number, name: string) => `${count} of ${name}`,
    met: "As advised: ",
    unmet: "Not as advised: ",
    health: (health: number) => `Health ${health}`,
    groups: {
      cards: "Cards",
      ranks: "Rooms",
      subtypes: "Monsters and traps",
      icons: "Treasure on rooms",
      bosses: "Bosses",
      heroes: "Heroes",
      health: "Health of heroes",
      items: "Items by class",
    },
    bars: {
      ordinary: "Ordinary",
      advanced: "Advanced",
      monster: "Monsters",
      trap: "Traps",
    },
  },
  solo: {
    title: "Play alone",
    lead: "One boss against a whole town. Souls minus wounds make your score, and the score your title. Everything here is played with house cards.",
    learn: "Learn it in two minutes",
    today: "Today's dungeon",
    todayMeans:
      "The same cards for everybody on this server, until midnight UTC. You have one attempt: it counts as soon as it begins, and you can come back to it until you finish.",
    left: (hours: number, minutes: number) =>
      `A new one begins in ${hours > 0 ? `${hours} h ` : ""}${minutes} min.`,
    play: "Enter today's dungeon",
    goOn: "Go on with your attempt",
    yours: (score: number, title: string, place: number) => `You scored ${score}: ${title}. Place ${place}.`,
    place: "Place",
    who: "Player",
    score: "Score",
    named: "Title",
    boss: "Boss",
    guest: "guest",
    guestWhy: "Guests could come back under another name. Accounts have one attempt.",
    attempt: (nth: number) => `attempt ${nth}`,
    attemptWhy: "Somebody has played today's dungeon from this network before.",
    nobody: "Nobody has finished it yet.",
    fair: "Is it fair?",
    fairMeans:
      "The cards follow from a secret that the server draws once the day has begun, so nobody can practise before. Its hash is here all day, the secret itself tomorrow. Until then nobody can watch an attempt, and its replay stays closed.",
    commitment: "Hash of today's secret:",
    yesterday: "Yesterday's secret:",
    titles: "Your titles, by boss",
    noTitles: "None yet. Finish a solo game, and its title appears here.",
    best: (score: number, games: number) =>
      `Best score ${score}, ${games === 1 ? "1 game" : `${games} games`}`,
    challenge: "challenge",
  },
  games: {
    title: "My games",
    lead: "Newest first. You can replay a finished game step by step and play on from any point.",
    none: "No games yet. Your first hero is on the way.",
    endings: { won: "Won", lost: "Lost", drawn: "No winner", going: "In progress", open: "Not started" },
    reasons: {
      "ten souls": "ten souls",
      "last standing": "last boss standing",
      "all lost": "everyone was eliminated",
      "compared at ten souls": "best score at ten souls",
      "no heroes left": "no heroes left",
      "last hero": "the last epic hero came",
      "five wounds": "five wounds",
      "a hero in the tavern": "a hero reached the Tavern",
      stopped: "stopped",
      resigned: "by resignation",
    },
    turns: (turns: number) => (turns === 1 ? "1 turn" : `${turns} turns`),
    you: (name: string) => `${name} (you)`,
    replay: "Watch",
    replayOf: (names: string) => `Watch the game of ${names}`,
    back: "Continue",
    backTo: (names: string) => `Continue the game of ${names}`,
  },
  account: {
    title: "Who are you?",
    lead: "You don't need an account to play. With one, you have your games on every device.",
    leadAccount: "Your games follow you to every device where you sign in.",
    which: "Sign in or create an account",
    signIn: "Sign in",
    signUp: "Create an account",
    signOut: "Sign out",
    inHint: "Use the name and passphrase you chose.",
    upHint:
      "You keep the games you played as a guest. We don't ask for an email address, so a lost passphrase can't be reset: keep it safe.",
    name: "Name",
    passphrase: "Passphrase (at least 8 characters)",
    welcome: (name: string) => `Welcome, ${name}.`,
    goodbye: "Signed out.",
    youAre: (name: string) => `You are ${name}`,
    guest: (name: string) => `Guest: ${name}`,
    nobody: "Not signed in",
    guestHint: "A guest exists only in this browser.",
    newName: "Your name at the table",
    rename: "Use this name",
    renamed: (name: string) => `You are now ${name}.`,
    suggest: "Suggest a name",
    sessions: "Where you are signed in",
    sessionsHint: "Sign out a browser that you don't recognise or no longer use.",
    thisBrowser: "this browser",
    lastUsed: (time: string) => `last used ${time}`,
    revoke: "Sign out",
    revokeOf: (browser: string) => `Sign out ${browser}`,
    revokeOthers: "Sign out everywhere else",
  },
  replay: {
    title: "Replay",
    titleOf: (names: string) => `Replay: ${names}`,
    from: "Play from here",
    fromLead: (step: number) =>
      `Continue the game from here, after ${step === 1 ? "1 move" : `${step} moves`}, with bots in the other seats. The original game stays as it was.`,
    fromSeat: "Play as",
    fromLevel: "Against",
    fromGo: "Start",
    copy: "Copy link",
    fair: "Fair shuffle",
    unfair: "Record doesn't match",
    download: "Download",
    asked: (name: string, words: string) => `${name} is asked: ${words}`,
    over: "The game is over.",
    handOf: (name: string) => `${name}'s hand`,
    answer: (name: string, words: string) => `${name}: ${words}`,
    controls: "Replay",
    scrubber: "Position",
    moment: (step: number, last: number, turn: number) =>
      `${turn > 0 ? `turn ${turn}, ` : ""}step ${step} of ${last}`,
    play: "Play",
    pause: "Pause",
    stepOn: "Next step",
    stepBack: "Previous step",
    turnOn: "Next turn",
    turnBack: "Previous turn",
    speed: "Speed",
    viewpoint: "Point of view",
    allCards: "All cards face up",
    viewpointOf: (name: string) => `As ${name} saw it`,
    front: "Large dungeon",
    frontOf: (name: string) => `${name}'s dungeon`,
    points: "Turning points",
    pointOf: (turn: number, words: string) => `Turning point in turn ${turn}: ${words}`,
    kinds: { choice: "A turning point, by choice.", luck: "A turning point, by luck." } as Readonly<
      Record<string, string>
    >,
  },
  fairness: {
    title: "Was the shuffle fair?",
    verified: "The record checks out",
    differs: "The record doesn't check out",
    findings: {
      fair: "Your browser recomputed the hashes: the secret is the one the server committed to, and the seed follows from it and from what the players added. Nobody chose the cards.",
      unfair:
        "Your browser recomputed the hashes, and they don't match: this isn't the shuffle the server committed to.",
    },
    promise: "Before anyone sat down, the server chose a secret and published its SHA-256 hash:",
    added: "Each player's browser chose random bytes. Their hashes were published when the game started:",
    nothing: "nothing (a bot, or not connected)",
    revealed: "Then the browsers revealed their bytes:",
    absent: "not revealed in time, so left out",
    secret: "After the game the server revealed its secret:",
    seed: "The seed of the shuffle is the SHA-256 hash of all of this:",
    how: "The hash is taken over the words “lair shuffle 2”, the secret, and each player's hash and bytes in seat order, with zeros for what is missing. The server's documentation has every step.",
    none: "This game continued another one, so it used that game's shuffle.",
    yourself:
      "To check it on your own machine, download the record and run “lair verify” on it. This line describes the same game:",
  },
  tutorial: {
    title: "Tutorial",
    you: "You",
    next: "Continue",
    yourMove: "Your move",
    again: "Start over",
    leave: "Leave",
    left: "You can leave at any time. Next time you go on from here.",
    count: (at: number, all: number) => `${at} of ${all}`,
    progress: (learned: number, all: number) => `Learned: ${learned} of ${all}`,
    learned: "learned",
    toCome: "still to come",
    lessons: {
      build: "Build",
      lure: "Lure",
      wound: "Wound",
      kill: "Kill",
      level: "Level up",
      spell: "Spell",
      answer: "Answer",
      win: "Win",
      market: "Market",
      minion: "Minion",
      first: "First player",
      push: "Push",
      summon: "Summon",
      places: "Places",
      score: "Score",
      tavern: "Tavern",
      coins: "Coins",
      miniboss: "Miniboss",
      promote: "Promote",
      power: "Power",
      carried: "Carried",
      claimed: "Claimed",
      used: "Used",
    },
    points: {
      boss: {
        title: "This is you",
        words: "You are the boss. Heroes come to slay you, and you want their souls. Ten souls and you win.",
      },
      room: {
        title: "Build a room",
        words:
          "The heart is the damage it deals. The sword is bait. Choose Golem Factory, then the place next to your boss.",
      },
      heroes: {
        title: "Here come the heroes",
        words:
          "The heart is a hero's health, the icon the treasure it is after. Boden wants swords. He has 4 health, and your room deals only 2.",
      },
      second: {
        title: "One more room",
        words:
          "Each turn you may build one room. Neanderthal Cave deals 3. Together that makes 5. Poor Boden.",
      },
      lure: {
        title: "Lured",
        words:
          "Each hero goes where there is most of its treasure. Two swords against none: Boden is yours. The mage went for the Kobold's books.",
      },
      wound: {
        title: "A wound for the Kobold",
        words:
          "The mage survived every room and reached the Kobold's boss. Five wounds and you are out, so only lure whom you can kill.",
      },
      pass: {
        title: "Nothing to add? Pass",
        words:
          "With a hero in your dungeon you may cast a spell. Boden has 1 health left and one more room to go. Save your spell and pass.",
      },
      kill: {
        title: "Your first soul",
        words: "Boden is dead, his soul is yours, and Golem Factory drew you a card for it. Nine to go.",
      },
      later: {
        title: "Nine nights later",
        words: "You have six souls and four rooms. Tonight you finish it.",
      },
      epic: {
        title: "An epic hero",
        words:
          "Hya has 11 health and is worth two souls. She wants bags of gold. You and the Kobold have two each, so she can't decide and waits.",
      },
      fifth: {
        title: "Break the tie",
        words: "Dizzygas Hallway has a bag of gold. It is also your fifth room, and that means something.",
      },
      level: {
        title: "Level up!",
        words:
          "Once per game, your fifth room lets your boss do what her card says. Gorgona kills a hero in town. Choose Nick.",
      },
      spell: {
        title: "Cast a spell",
        words:
          "Hya is in. Your rooms deal 9, and she has 11 health. Exhaustion deals 1 more for every room you have. Cast it.",
      },
      answer: {
        title: "Answer that",
        words:
          "Hya is dead. But the Kobold casts Assassin: 3 more health for Fire's Breath, who would get through. Answer with Counterspell.",
      },
      win: {
        title: "Ten souls. You win!",
        words: "That is the whole game. Now do it to somebody who fights back.",
      },
      board: {
        title: "A town with a street",
        words:
          "In Super Boss Monster the town has as many places as players. Pip wants books, and so far the Kobold has more of them: the sign below him says so.",
      },
      stall: {
        title: "The market",
        words:
          "Each turn everybody takes one card from the market, beginning with the first player. Homing Orb Silo has a book. Take it.",
      },
      errand: {
        title: "Send your minion",
        words:
          "Your minion works at a landmark, on a room or on your boss. At the Library your boss gains a book this turn. Send it there.",
      },
      orb: {
        title: "Build as ever",
        words: "The card from the market is in your hand, and everybody knows it. Build it.",
      },
      works: {
        title: "The Minion phase",
        words: "After building, the minions do their work, one after another. Nobody can answer that.",
      },
      fourth: {
        title: "Four books beat three",
        words: "Pip comes to you instead. The Kobold's minion brought him a fighter whom he cannot stop.",
      },
      passed: {
        title: "The marker moves on",
        words:
          "Pip is yours. The minions are home, and the flag of the first player goes to the left: next turn the Kobold chooses first.",
      },
      pushed: {
        title: "Pushed out of town",
        words:
          "Two turns later: nobody lured Laliho and Velvet, and with new heroes there is no place left for them. They train at the Stadium and at the Hideout now.",
      },
      take: {
        title: "First a card",
        words: "Chill is a spell. Take it.",
      },
      fetch: {
        title: "Fetch a hero",
        words:
          "With a hero there, a landmark offers only this: send the hero to any entrance, with 2 more health. In your dungeon Laliho would get through, as the sign says. Place your minion there.",
      },
      send: {
        title: "To whom?",
        words: "The Kobold's rooms cannot stop 10 health either. Send Laliho there.",
      },
      sent: {
        title: "Special delivery",
        words:
          "A wound for the Kobold. Most souls minus wounds wins, once somebody has ten souls or no more heroes come. All cards you saw are house cards.",
      },
      alone: {
        title: "You against the town",
        words:
          "Alone you play for a score: souls minus wounds. It is up here, with the title it is worth and the next one.",
      },
      thresholds: {
        title: "Every place has its price",
        words:
          "The hero in the first place comes for one treasure of its type, the second for two, and so on. The tags show what you have and what is needed.",
      },
      books: {
        title: "Two books for Pip",
        words: "Pip wants two books, and you have one. Mana Bar has two. Take it.",
      },
      sword: {
        title: "A third sword",
        words: "Brick, in the third place, wants three swords, and you have two. The Stadium lends you one.",
      },
      bar: {
        title: "Build it",
        words: "Three heroes would come, and your rooms deal 6. Nobody here has more health.",
      },
      three: {
        title: "Three souls",
        words: "All three came, and none got through. You are a Minion now.",
      },
      full: {
        title: "Beware of the Tavern",
        words:
          "Later: every landmark is taken. Whoever is pushed out of town now goes to the Tavern, and that ends the game at once. So do five wounds, after the turn.",
      },
      spare: {
        title: "A card first",
        words: "Take Flash Sale.",
      },
      makeRoom: {
        title: "Make room",
        words:
          "Send your minion to the Temple: Bitsy leaves it for your dungeon, with 6 health. Your rooms deal 6.",
      },
      title: {
        title: "How far can you go?",
        words:
          "The game ends when the last epic hero has come. 36 points make a Grand Ultimate Master of the Dungeon. All of this is played with house cards.",
      },
      coins: {
        title: "Your purse",
        words:
          "Some boxes are played with coins. Rooms and spells earn them, and minibosses cost them. You have one. Spend it well.",
      },
      miniboss: {
        title: "Hire somebody",
        words:
          "A miniboss goes face down on one of your rooms instead of a new room, and never next to another miniboss. Put Spike on Training Camp.",
      },
      paid: {
        title: "One coin, please",
        words:
          "When rooms are revealed, a miniboss wants a coin or it leaves. Spike stays at level one: Training Camp deals 1 more damage.",
      },
      spiked: {
        title: "Exactly enough",
        words: "Four damage against four health. Without Spike that would have been a wound.",
      },
      tougher: {
        title: "A tougher one",
        words:
          "Two nights later a fighter with 6 health is on the way, and your rooms still deal 4. But you have another coin.",
      },
      promote: {
        title: "Promote Spike",
        words:
          "Once per turn, in your Build phase, a coin lifts one miniboss a level. Not in the turn it is hired. Promote Spike.",
      },
      power: {
        title: "Level two",
        words:
          "Level one still counts, and level two comes on top: for a card from your hand, Spike deals 2 damage to a hero in the room. Use Spike.",
      },
      price: { title: "Pick a card", words: "Any card will do. Power Leech has had its day." },
      third: {
        title: "And level three?",
        words:
          "One more promotion, and Spike can do something big once, then falls back to level one. A miniboss moves and sleeps with its room. That is all. Go and hire some.",
      },
      carried: {
        title: "Well armed",
        words:
          "Items come to town too, and a hero who seeks the same treasure picks one up. With the Oversized Sword this fighter has 9 health instead of 4.",
      },
      enough: {
        title: "Nine will do",
        words: "Your three rooms deal 7. Golem Factory adds 2, and that is exactly enough. Build it.",
      },
      claimed: {
        title: "Finders keepers",
        words:
          "Dead heroes leave their items to you, face up beside your boss. Survivors leave them too, but face down: no use to anybody.",
      },
      faceUp: {
        title: "From the next turn on",
        words:
          "An item that is face up can be used once, whenever you could cast a spell. Only one of yours stays face up at a time.",
      },
      useItem: {
        title: "Share the sword",
        words:
          "A mage with 4 health walks into the Kobold's dungeon and would die there. The sword gives a hero in a dungeon 5 more. Use it.",
      },
      onWhom: { title: "On whom?", words: "The mage. Run, little mage, run." },
      faceDown: {
        title: "A wound for the Kobold",
        words:
          "The mage got through, and the sword lies face down now: used. That is all there is to items. Go and collect some.",
      },
    },
    courses: {
      first: "A first game",
      minibosses: "Minibosses",
      items: "Items",
      super: "Super Boss Monster",
      solo: "A game for one",
    },
    done: { play: "Choose an opponent", alone: "Play alone", rules: "The rules", again: "Once more" },
  },
} as const;
