/** Every text is used somewhere: what nobody shows any more is thrown away. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { en } from "../src/words/en";
import { say } from "../src/words/pages";
import { words as town } from "../src/words/super";
import { words } from "../src/words/table";

const SRC = join(import.meta.dirname, "../src");

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ts|svelte)$/.test(name) && !/^(words|gen)\//.test(name))
  .map((name) => readFileSync(join(SRC, name), "utf8"));

/** The paths of all texts. Tables of the server's words are used by its codes. */
function leaves(value: unknown, path: string[]): string[][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** A file names the group and the text, perhaps by another name for the group, or looks the text up in the group. */
function isUsed(path: string[]): boolean {
  const key = path.at(-1) ?? "";
  const group = path.at(-2) ?? "";
  const whole = new RegExp(`\\b${group}\\??\\.${key}\\b`);
  const renamed = new RegExp(`\\.${group}\\)?[;,\\s)}]`);
  const taken = new RegExp(`\\.${key}\\b`);
  const lookedUp = path.slice(1, -1).map((part) => new RegExp(`\\.${part}(\\[|\\)|;|,| as )`));
  return files.some(
    (file) =>
      whole.test(file) ||
      (path.length > 2 && renamed.test(file) && taken.test(file)) ||
      lookedUp.some((dynamic) => dynamic.test(file)),
  );
}

test.each([
  // Used by the name `words`.
  ["words", en],
  ["say", say],
  ["words", words],
  ["words", town],
])("every text of %s is used", (name, all) => {
  const unused = leaves(all, [name]).filter((path) => !isUsed(path));
  expect(unused.map((path) => path.join("."))).toEqual([]);
});

/** What people read never has the engine's words, nor a set's code. */
test("no text has words of the engine", () => {
  const odd = /\b(bmr|tnl|active player|triggers?|declared|priority|pending)\b/i;
  const texts = [en, say, words, town].flatMap((all) => strings(all));
  expect(texts.filter((text) => odd.test(text) && !/^deck |^set |set CODE/m.test(text))).toEqual([]);
});

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(strings);
}
