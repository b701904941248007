import { UnreadableError } from './unreadable.ts';

/** V8 adds the position to some of its messages; the rest of the message quotes the text. */
const POSITION = / in JSON at position (\d+) \(/;

const lineOf = (text: string, error: unknown): number | undefined => {
  const position = error instanceof Error ? POSITION.exec(error.message)?.[1] : undefined;
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
};

/** Like JSON.parse, but throws an UnreadableError, which does not quote the text. */
export const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableError('JSON', { line: lineOf(text, error) });
  }
};

/** The value of a JSON text; undefined if it is invalid. */
export const tryJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
