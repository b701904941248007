import * as z from 'zod';

/** An annotation of ours by which users say what they want. */
export interface Wish {
  /** The kinds of the objects that it is read from. In the metadata of templates every wish may stand. */
  readonly kinds: readonly string[];
  /** What it may say. The messages are what a user is told. */
  readonly schema: z.ZodType<unknown, string>;
}

/** By the names of the annotations. */
export type Wishes = Readonly<Record<string, Wish>>;

/** One of a few words. */
export const one = <Value extends string>(...values: [Value, ...Value[]]) =>
  z.enum(values, {
    error: `must be ${values.length === 1 ? values[0] : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`}`,
  });

/** The words of a text with commas between them. */
export const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Words with commas between them, each of which the pattern describes. */
export const listOf = (pattern: RegExp, detail: string) =>
  z.string().refine((text) => wordsOf(text).every((word) => pattern.test(word)), { error: detail });
