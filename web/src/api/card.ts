/** Cards as the library tells of them, made into what can be drawn. */
import type { CardText } from "../cards/card";
import type { CardPage } from "../gen/wire";

export function drawable(page: CardPage): CardText {
  const { source: _, provenance: __, ...card } = page;
  return { ...card, number: page.number ?? `${page.set} ${page.name}` };
}

/** What the address of a card is made of. */
export function cardKey(page: CardPage): string {
  return page.number ?? page.name;
}

/** A card by its number or name, large and small letters alike. */
export function findCard(pages: readonly CardPage[], key: string): CardPage | undefined {
  const wanted = key.trim().toLowerCase();
  return (
    pages.find((page) => page.number?.toLowerCase() === wanted) ??
    pages.find((page) => page.name.toLowerCase() === wanted) ??
    pages.find((page) => page.name.toLowerCase().split(",")[0] === wanted)
  );
}
