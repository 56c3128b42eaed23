/** The few things a table asks for over HTTP. */
import type { CardPage, Me } from "../gen/wire";

export async function whoAmI(): Promise<Me> {
  return read(await fetch("/api/me"));
}

export async function comeIn(name: string): Promise<Me> {
  const body = JSON.stringify({ name });
  return read(
    await fetch("/api/guest", { method: "POST", headers: { "content-type": "application/json" }, body }),
  );
}

let library: Promise<ReadonlyMap<string, CardPage>> | undefined;

/** Every card there is by name, with its rulings; asked for once. */
export function cardPages(): Promise<ReadonlyMap<string, CardPage>> {
  library ??= fetch("/api/cards")
    .then((reply) => read<CardPage[]>(reply))
    .then((pages) => new Map(pages.map((page) => [page.name, page])))
    .catch(() => {
      library = undefined;
      return new Map();
    });
  return library;
}

async function read<T>(reply: Response): Promise<T> {
  if (!reply.ok) throw new Error(await problem(reply));
  return (await reply.json()) as T;
}

async function problem(reply: Response): Promise<string> {
  try {
    const { words } = (await reply.json()) as { words?: string };
    return words ?? reply.statusText;
  } catch {
    return reply.statusText;
  }
}
