import { ExpiredError } from '../../errors.ts';
import { isObject } from '../json.ts';

/** Where the next page of a list starts: after the key `<namespace>/<name>`, at the first page's version. Opaque to clients. */
export interface ContinueToken {
  resourceVersion: string;
  after: string;
}

/** Instead of a version: the current rest of the list, regardless of the previous pages. */
const ANY = '-1';

export const encodeContinue = (token: ContinueToken): string =>
  Buffer.from(JSON.stringify(token)).toString('base64url');

/** The token of a list whose page ends with this object; all storages understand it. */
export const continueAfter = (
  resourceVersion: string,
  { namespace = '', name }: { namespace?: string | undefined; name: string },
): string => encodeContinue({ resourceVersion, after: `${namespace}/${name}` });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    // Not JSON, so it is not a token.
    return undefined;
  }
};

const tryDecode = (text: string): ContinueToken | undefined => {
  const token = parse(text);
  if (!isObject(token)) return undefined;
  const { resourceVersion, after } = token;
  return typeof resourceVersion === 'string' && typeof after === 'string' ? { resourceVersion, after } : undefined;
};

/** The error in the form of a token, if any; a valid one may still be too old. */
export const wrongContinue = (text: string): string | undefined => {
  if (tryDecode(text)) return undefined;
  const token = parse(text);
  if (!isObject(token)) return 'it was not issued by this server';
  return `server does not recognize this encoded version ${typeof token.v === 'string' ? token.v : ''}`;
};

/** Throws ExpiredError for anything that `encodeContinue` has not created. */
export const decodeContinue = (text: string): ContinueToken => {
  const token = tryDecode(text);
  if (!token) throw new ExpiredError('The provided continue parameter is too old or not one of this server');
  return token;
};

/** Whether the current rest of the list is requested. */
export const isInconsistent = ({ resourceVersion }: ContinueToken): boolean => resourceVersion === ANY;

/** Refuses a token whose version has expired, with another one for clients that accept the current rest of the list. */
export const expiredContinue = ({ after }: ContinueToken): ExpiredError =>
  new ExpiredError(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue({ resourceVersion: ANY, after }),
  );
