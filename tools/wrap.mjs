/** Wraps the prose of a Markdown document; headings, tables, images and code stay as they are. */
export function wrap(text, columns) {
  const out = [];
  /** The paragraph or list item that is being read. */
  let open;
  let fenced = false;
  let listIndent = 0;
  const close = () => {
    if (open) out.push(...lines(open, columns));
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    const indent = line.length - line.trimStart().length;
    const item = /^(\s*(?:[-*+]|\d+[.)])\s+)(.*)$/.exec(line);
    if (trimmed.startsWith("```")) {
      close();
      fenced = !fenced;
      out.push(line);
    } else if (fenced) {
      out.push(line);
    } else if (trimmed === "") {
      close();
      out.push("");
    } else if (/^(\||#|!\[)/.test(trimmed)) {
      close();
      out.push(line);
      listIndent = 0;
    } else if (item && indent < listIndent + 4) {
      close();
      listIndent = item[1].length;
      open = { first: item[1], rest: " ".repeat(listIndent), words: [item[2]] };
    } else if (open && !STARTS_A_LINE.test(trimmed)) {
      open.words.push(trimmed);
    } else if (!open && indent >= listIndent + 4) {
      out.push(line);
    } else {
      const margin = open ? open.rest : " ".repeat(indent);
      close();
      if (indent === 0 && margin === "") listIndent = 0;
      open = { first: margin, rest: margin, words: [trimmed] };
    }
  }
  close();
  return out.join("\n");
}

/** Parts of a rule: the client shows each on a line of its own. */
const STARTS_A_LINE = /^(\*Decision:\*|[a-z]\. )/;
/** At the beginning of a line these would mean something else. */
const NEVER_FIRST = /^([-+*>]|#+|=+|\d+[.)]|[a-z]\.|\*Decision:\*|\|.*)$/;

function lines({ first, rest, words }, columns) {
  const out = [];
  let line = first;
  let empty = true;
  for (const word of split(words.join(" "))) {
    if (empty) line += word;
    else if ([...line].length + 1 + [...word].length <= columns || NEVER_FIRST.test(word)) line += ` ${word}`;
    else {
      out.push(line);
      line = rest + word;
    }
    empty = false;
  }
  return [...out, line];
}

/** Words; code is never broken. */
function split(text) {
  const glued = text.replace(/``.*?``|`[^`]*`/g, (code) => code.replaceAll(" ", "\0"));
  return glued.split(/\s+/).map((word) => word.replaceAll("\0", " "));
}
