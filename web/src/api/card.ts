/** Finding a card of the library. */
import type { CardPage } from "../gen/wire";

/** What the address of a card is made of. */
export function cardKey(page: CardPage): string {
  return page.number ?? page.name;
}

/** A card by its number, name or short name, in capitals or not. */
export function findCard(pages: readonly CardPage[], key: string): CardPage | undefined {
  const wanted = key.trim().toLowerCase();
  const by = (part: (page: CardPage) => string | undefined) =>
    pages.find((page) => part(page)?.toLowerCase() === wanted);
  return by((page) => page.number) ?? by((page) => page.name) ?? by((page) => page.short_name);
}
