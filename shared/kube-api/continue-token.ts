import { ExpiredError } from '../errors.ts';

/** Where the next page of a list begins: after a key, as of the first page's version. Opaque to clients. */
export interface ContinueToken {
  resourceVersion: string;
  after: string;
}

export const encodeContinue = (token: ContinueToken): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url');

/** Whether it has the form of a token; it may be too old all the same. */
export const isContinueToken = (text: string): boolean => {
  try {
    decodeContinue(text);
    return true;
  } catch {
    return false;
  }
};

/** Throws ExpiredError for anything that `encodeContinue` did not make. */
export const decodeContinue = (text: string): ContinueToken => {
  try {
    const { resourceVersion, after } = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof resourceVersion === 'string' && typeof after === 'string') return { resourceVersion, after };
  } catch {
    // Not JSON: falls through to the one error that clients know how to answer, by listing again.
  }
  throw new ExpiredError('The provided continue parameter is too old or not one of this server');
};
