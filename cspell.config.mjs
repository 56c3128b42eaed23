// What `./check` does with spelling: British English, the words of the trade in cspell.words.txt, and the names of
// cards and sets from the card files, so that a new card needs no entry anywhere else.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));

const named = ["cards", "examples"].flatMap((folder) =>
  readdirSync(root + folder)
    .filter((file) => file.endsWith(".cards"))
    .flatMap((file) => readFileSync(`${root}${folder}/${file}`, "utf8").split("\n"))
    .map((line) => /^(?:set [A-Z]+|[a-z]+) "(.*)"/.exec(line)?.[1] ?? ""),
);
const names = named.flatMap((name) => name.match(/\p{L}{3,}(?:'s)?/gu) ?? []);

// What the tests make up or misspell: slips of the keyboard, text with odd letters in it.
const madeUp = `
  Ähnlich änne anns Cleo drow Explodo feff fetc HOUSEA HOUSEB HOUSEC nblargh nbmr Noone nosuchgame nosuchtable nxyzzyxyzzy
  aiice iloveyou Ноpe ноpe НОРЕ RECA RECB RECC Ünïcode Ünïcödé whens xyzzy xyzzyxyzzy

  abilty Altr biult cuont damge detsroy discrad Draculrod drak drwa elif Freze heroo hnad ltar mnster monstr ofical
  onec plya rooom soome thif tonw trpa trun wheres
`
  .split(/\s+/)
  .filter(Boolean);

export default {
  version: "0.2",
  language: "en-GB",
  useGitignore: true,
  dictionaryDefinitions: [{ name: "lair", path: "./cspell.words.txt" }],
  dictionaries: ["lair"],
  words: [...new Set(names)],
  files: ["**"],
  enableGlobDot: true,
  ignorePaths: [
    ".git",
    "LICENSE*",
    "*.lock",
    "package-lock.json",
    "python/requirements.txt",
    "*.ipynb",
    "*.net",
    "*.puzzles",
    "*.sql",
    "*.svg",
    "cspell.*",
    // What people type first.
    "crates/server/src/http/common-passphrases.txt",
    // Drawn with letters, not written.
    "web/src/art/sheets/**",
    "web/test/fixtures/**",
    // Games by generated players and cards.
    "crates/engine/tests/playthroughs/**",
  ],
  // Code points, and names that other people gave.
  ignoreRegExpList: [
    "/\\\\u\\{.*?\\}/",
    '/flavor = "/',
    "/Missed_?Tick_?Behavior/gi",
    "/(Ansi|::|Some\\()Color|NO_COLOR|\\bcolor=/",
  ],
  overrides: [
    // Callbacks, and parts of words that pick a picture.
    { filename: "web/{src,test}/**", ignoreRegExpList: ["/\\bon[a-z]+\\b/"] },
    { filename: "web/src/art/*.ts", ignoreRegExpList: ["/\\/.*\\//", "/\\b[a-z]+(?=[|)])/"] },
    { filename: "{crates/lab/src/report/*.rs,**/*.css}", words: ["color", "colors", "quot"] },
    { filename: "{crates/*/tests,web/test,web/e2e,web/looks,docs}/**", words: madeUp },
  ],
};
