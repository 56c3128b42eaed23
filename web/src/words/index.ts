/** The words in use. */
import { en } from "./en";

type Same<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Key in keyof T]: Same<T[Key]> };

/** What a language must say. */
export type Words = Same<typeof en>;

export const words: Words = en;
