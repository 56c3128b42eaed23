// Checks the documents: lines of at most 100 columns outside tables and code, links that lead
// somewhere, and tests that exist where docs/security.md names them. `--wrap` wraps long lines first.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { wrap } from "./wrap.mjs";

const COLUMNS = 100;
process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
const git = (...args) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });

const problems = [];
/** The lines that are neither in a table nor in code. */
function prose(text) {
  let fenced = false;
  return text.split("\n").map((line) => {
    if (/^\s*```/.test(line)) fenced = !fenced;
    return fenced || /^\s*(\||```)/.test(line) || line.startsWith("    ") ? "" : line;
  });
}

/** The anchors of the headings, as GitHub makes them. */
function anchors(file) {
  const headings = prose(readFileSync(file, "utf8")).filter((line) => /^#+ /.test(line));
  const words = headings.map((line) => line.replace(/^#+ /, "").toLowerCase());
  return words.map((text) => text.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}

const documents = git("ls-files", "*.md").trim().split("\n").filter(existsSync);
for (const file of documents) {
  let text = readFileSync(file, "utf8");
  if (process.argv.includes("--wrap") && prose(text).some((line) => [...line].length > COLUMNS)) {
    text = wrap(text, COLUMNS);
    writeFileSync(file, text);
  }
  prose(text).forEach((line, index) => {
    const columns = [...line].length;
    if (columns > COLUMNS) problems.push(`${file}:${index + 1}: ${columns} columns, ${COLUMNS} at most`);
  });
  for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    const [path, anchor] = link.split("#");
    const target = path === "" ? file : join(dirname(file), path);
    if (!existsSync(target)) problems.push(`${file}: ${link} does not exist`);
    else if (anchor && target.endsWith(".md") && !anchors(target).includes(anchor))
      problems.push(`${file}: ${target} has no heading #${anchor}`);
  }
}

const functions = new Set(git("grep", "-hoE", "fn [a-z0-9_]+", "--", "crates").split(/\s+/));
for (const [, name] of readFileSync("docs/security.md", "utf8").matchAll(/`([a-z0-9]+(?:_[a-z0-9]+){2,})`/g))
  if (!functions.has(name)) problems.push(`docs/security.md: there is no test ${name}`);

for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
