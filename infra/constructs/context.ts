import type { Node } from 'constructs';

/**
 * Reads single values of the CDK context: texts from `-c key=value`, and any JSON from cdk.json. Errors are collected,
 * so that a user sees all of them together.
 */
export interface Context {
  /** The errors, one sentence each. */
  readonly problems: readonly string[];
  raw(key: string): unknown;
  report(key: string, problem: string): void;
  /** A text, or undefined if none was given. */
  text(key: string, form?: { pattern: RegExp; is: string }): string | undefined;
  /** A list, or a text with commas. */
  list(key: string, form?: { pattern: RegExp; is: string }): string[];
  whole(key: string, fallback: number, limits: [least: number, most: number]): number;
  flag(key: string, fallback: boolean): boolean;
  /** Reports keys that nothing has read although they have the form of settings: they are misspelt. */
  reportUnread(): void;
}

/** Keys of the CDK itself contain other characters, too. */
const OWN_KEY = /^[A-Za-z]+$/;

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
]);

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

export const readContext = (node: Node): Context => {
  const problems: string[] = [];
  const read = new Set<string>();
  const raw = (key: string): unknown => {
    read.add(key);
    return node.tryGetContext(key);
  };
  const report = (key: string, problem: string): void => {
    problems.push(`context "${key}": ${problem}`);
  };
  return {
    problems,
    raw,
    report,
    text: (key, form) => {
      const value = raw(key);
      if (isMissing(value)) return undefined;
      if (typeof value !== 'string' || (form && !form.pattern.test(value)))
        report(key, `${JSON.stringify(value)} is not ${form?.is ?? 'a text'}`);
      return String(value);
    },
    list: (key, form) => {
      const value = raw(key);
      if (isMissing(value)) return [];
      const parts = (Array.isArray(value) ? value.map(String) : String(value).split(',')).map((part) => part.trim());
      for (const part of parts) {
        if (form && !form.pattern.test(part)) report(key, `"${part}" is not ${form.is}`);
        // Functions receive lists as texts with commas, and would split this item.
        else if (part.includes(',')) report(key, `"${part}" has a comma, which separates the items of a list`);
      }
      return parts;
    },
    whole: (key, fallback, [least, most]) => {
      const value = isMissing(raw(key)) ? fallback : Number(raw(key));
      if (!Number.isInteger(value) || value < least || value > most)
        report(key, `must be a whole number from ${least} to ${most}, not "${raw(key)}"`);
      return value;
    },
    flag: (key, fallback) => {
      if (isMissing(raw(key))) return fallback;
      const value = FLAGS.get(raw(key));
      if (value === undefined) report(key, `must be true or false, not "${raw(key)}"`);
      return value ?? fallback;
    },
    reportUnread: () => {
      for (const key of Object.keys(node.getAllContext() as object))
        if (OWN_KEY.test(key) && !read.has(key)) report(key, 'is not a setting of Windlass; docs/deploy.md lists them');
    },
  };
};

/** Reports a list that is longer than AWS allows. */
export const checkNumber = (context: Context, key: string, all: readonly unknown[], most: number): void => {
  if (all.length > most) context.report(key, `must be at most ${most}, not ${all.length}`);
};
