/** A deck in the fragment of a link: compressed, so that it fits, and never sent to a server by the link alone. */

const KEY = "deck=";
/** What a link may unfold to; the server takes no more either. */
const MOST = 100_000;

export async function writeLink(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return KEY + base64(bytes);
}

/** The deck of a fragment; undefined if there is none, or it is damaged. */
export async function readLink(fragment: string): Promise<string | undefined> {
  const code = fragment.replace(/^#/, "");
  if (!code.startsWith(KEY)) return undefined;
  try {
    const bytes = Uint8Array.from(
      atob(code.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/")),
      (letter) => letter.charCodeAt(0),
    );
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > MOST) return undefined;
    }
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
