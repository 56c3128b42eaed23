/** The players' names and notes by seat. */
import type { Occupant, TableInfo } from "../gen/wire";
import { words } from "../words/table";

/** By seat, from 1. */
export function namesOf(table: TableInfo | undefined): string[] {
  return (table?.seats ?? []).map(({ seat, who }) => who?.name ?? words.seat(seat));
}

/** A note on each: disconnected, away, resigned. */
export function notesOf(table: TableInfo | undefined): string[] {
  return (table?.seats ?? []).map(({ who }) => (who ? note(who) : ""));
}

function note(who: Occupant): string {
  if (who.kind !== "person") return "";
  if (who.resigned) return words.resigned;
  return who.away ? words.away : who.connected ? "" : words.gone;
}
