import { forbiddenField } from '../field-error.ts';
import type { FieldError } from '../resource.ts';
import { badRequest, invalid } from '../status-error.ts';
import { wrongContinue } from '../storage/continue-token.ts';
import { readCount, readFlag } from './query.ts';

/** The requested version of a list: a specific one, one at least as new, or any. */
export interface WantedVersion {
  version: string;
  exact: boolean;
}

export interface ListOptions {
  limit?: number;
  token?: string;
  /** Undefined if any version can be used. */
  wanted?: WantedVersion;
}

export interface WatchOptions {
  /** The version to resume from; undefined for the current state. */
  version?: string;
  /** Whether the current state is sent first. */
  initial: boolean;
}

const MATCH = 'resourceVersionMatch';
const MATCHES = ['Exact', 'NotOlderThan', ''];

const unsupportedMatch = (badValue: string, allowed: readonly string[]): FieldError => {
  const supported = allowed.map((value) => JSON.stringify(value)).join(', ');
  return { type: 'FieldValueNotSupported', field: MATCH, badValue, detail: `supported values: ${supported}` };
};

const notWithContinue = forbiddenField(MATCH, 'resourceVersionMatch is forbidden when continue is provided');

const errorsOfList = (query: URLSearchParams): FieldError[] => {
  const version = query.get('resourceVersion') ?? '';
  const match = query.get(MATCH) ?? '';
  const errors = query.has('sendInitialEvents')
    ? [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    : [];
  if (match === '') return errors;
  return [
    ...(version === ''
      ? [forbiddenField(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]
      : []),
    ...(query.get('continue') ? [notWithContinue] : []),
    ...(MATCHES.includes(match) ? [] : [unsupportedMatch(match, MATCHES)]),
    ...(match === 'Exact' && version === '0'
      ? [forbiddenField(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
      : []),
    ...errors,
  ];
};

const refuse = (errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
};

const MOST = 2n ** 64n - 1n;

/** A version as a number in text, `0` if there is none. Throws a StatusError 400 for an invalid one. */
export const readVersion = (query: URLSearchParams): string => {
  const version = query.get('resourceVersion') || '0';
  const isNumber = /^\d+$/.test(version);
  if (isNumber && version.length <= 20 && BigInt(version) <= MOST) return String(BigInt(version));
  const [shown, why] = [JSON.stringify(version), isNumber ? 'value out of range' : 'invalid syntax'];
  const parsing = `strconv.ParseUint: parsing ${shown}: ${why}`;
  throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${shown}: ${parsing}`);
};

/** Parses the options of a list. Throws a StatusError for invalid combinations, with upstream's message. */
export const readListOptions = (query: URLSearchParams): ListOptions => {
  const limit = readCount(query, 'limit') || undefined;
  readCount(query, 'timeoutSeconds');
  refuse(errorsOfList(query));
  const version = readVersion(query);
  const token = query.get('continue') || undefined;
  if (token === undefined) {
    return { limit, wanted: version === '0' ? undefined : { version, exact: query.get(MATCH) === 'Exact' } };
  }
  if (version !== '0') throw badRequest('specifying resource version is not allowed when using continue');
  // A version that no server could have assigned is an error of the client. The storage refuses one that is too old as
  // expired.
  const wrong = wrongContinue(token);
  if (wrong) throw badRequest(`invalid continue token: continue key is not valid: ${wrong}`);
  return { limit, token };
};

/**
 * Parses the options of a watch. One without a version starts with the current state, as if it had requested these
 * events (`sendInitialEvents`) from any version.
 */
export const readWatchOptions = (query: URLSearchParams): WatchOptions => {
  readCount(query, 'limit');
  const given = query.has('sendInitialEvents') || Boolean(query.get(MATCH));
  const isFresh = ['', '0'].includes(query.get('resourceVersion') ?? '');
  const asked = !given && isFresh ? { sends: true, match: 'NotOlderThan' } : askedOf(query);
  refuse(errorsOfWatch(query, asked));
  const version = readVersion(query);
  return { version: version === '0' ? undefined : version, initial: asked.sends ?? false };
};

interface AskedOfWatch {
  /** Undefined if not specified. */
  sends: boolean | undefined;
  match: string;
}

const askedOf = (query: URLSearchParams): AskedOfWatch => ({
  sends: query.has('sendInitialEvents') ? readFlag(query, 'sendInitialEvents') : undefined,
  match: query.get(MATCH) ?? '',
});

const errorsOfWatch = (query: URLSearchParams, { sends, match }: AskedOfWatch): FieldError[] => [
  ...(sends !== undefined && match !== 'NotOlderThan'
    ? [forbiddenField(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
    : []),
  ...(sends === undefined && match !== ''
    ? [forbiddenField(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')]
    : []),
  ...(match !== '' && match !== 'NotOlderThan' ? [unsupportedMatch(match, ['NotOlderThan'])] : []),
  ...(match !== '' && query.get('continue') ? [notWithContinue] : []),
];
