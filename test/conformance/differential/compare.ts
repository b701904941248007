import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../shared/kube-api/json.ts';
import type { Answered } from './endpoint.ts';
import { narrow } from './narrow.ts';

/** One place where two answers differ. `undefined` means that the value is absent. */
export interface Difference {
  /** `code`, `headers.warning`, `body.metadata.generation`… */
  path: string;
  theirs: unknown;
  ours: unknown;
}

/** Headers that affect clients. */
const HEADERS = ['content-type', 'warning', 'cache-control', 'retry-after', 'allow'];

/** All differences between normalised answers. If the status codes differ, only that is reported. */
export const compare = (theirs: Answered, ours: Answered): Difference[] => {
  if (theirs.code !== ours.code) return [{ path: 'code', theirs: brief(theirs), ours: brief(ours) }];
  return [
    ...HEADERS.flatMap((name) => compareValues(`headers.${name}`, theirs.headers[name], ours.headers[name])),
    ...compareValues('body', narrow(theirs.body, ours.body), ours.body),
  ];
};

const brief = ({ code, body }: Answered): string =>
  isObject(body) && typeof body.message === 'string' ? `${code} ${body.message}` : String(code);

const compareValues = (path: string, theirs: unknown, ours: unknown): Difference[] => {
  if (isDeepStrictEqual(theirs, ours)) return [];
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length) {
    return theirs.flatMap((item, index) => compareValues(`${path}[${index}]`, item, ours[index]));
  }
  if (isObject(theirs) && isObject(ours)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
    return keys.flatMap((key) => compareValues(`${path}.${key}`, theirs[key], ours[key]));
  }
  return [{ path, theirs, ours }];
};
