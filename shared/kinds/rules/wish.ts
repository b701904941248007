import * as z from 'zod';

/** One of Windlass's annotations for user settings. */
export interface Wish {
  /** The kinds of the objects from which it is read. The metadata of templates may have any of them. */
  readonly kinds: readonly string[];
  /** Its valid values. The messages are shown to users. */
  readonly schema: z.ZodType<unknown, string>;
}

/** By the names of the annotations. */
export type Wishes = Readonly<Record<string, Wish>>;

/** One of several words. */
export const one = <Value extends string>(...values: [Value, ...Value[]]) =>
  z.enum(values, {
    error: `must be ${values.length === 1 ? values[0] : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`}`,
  });

/** The comma-separated words of a text. */
export const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Comma-separated words, each of which must match the pattern. */
export const listOf = (pattern: RegExp, detail: string) =>
  z.string().refine((text) => wordsOf(text).every((word) => pattern.test(word)), { error: detail });
