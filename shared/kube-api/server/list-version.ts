import type { FieldError } from '../resource.ts';
import { badRequest, invalid, StatusError } from '../status-error.ts';
import type { ListResult } from '../storage.ts';
import type { Call } from './call.ts';

/** At which version a list is wanted: the one named, one at least as new, or any. */
export interface WantedVersion {
  version: string;
  exact: boolean;
}

/** As long as upstream, before it gives up on a version that has not come yet. */
const PATIENCE_MILLISECONDS = 3_000;
const LOOK_MILLISECONDS = 100;

const MATCHES = ['Exact', 'NotOlderThan'];

const forbidden = (field: string, detail: string): FieldError => ({ type: 'FieldValueForbidden', field, detail });

/** What is wrong with the parameters of a list together (k8s.io/apimachinery ValidateListOptions). */
const errorsOf = (query: URLSearchParams): FieldError[] => {
  const version = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const errors = query.get('sendInitialEvents')
    ? [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    : [];
  if (match === '') return errors;
  const field = 'resourceVersionMatch';
  if (query.get('continue'))
    errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
  if (version === '')
    errors.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  if (!MATCHES.includes(match)) {
    const detail = `supported values: ${['Exact', 'NotOlderThan', ''].map((value) => JSON.stringify(value)).join(', ')}`;
    errors.push({ type: 'FieldValueNotSupported', field, badValue: match, detail });
  }
  if (match === 'Exact' && version === '0') {
    errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
};

/** Reads `resourceVersion` and `resourceVersionMatch` of a list; undefined where any version will do. */
export const readWantedVersion = ({ query }: Call): WantedVersion | undefined => {
  const errors = errorsOf(query);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  const version = query.get('resourceVersion') || '0';
  if (!/^\d{1,19}$/.test(version)) throw badRequest(`Invalid value for resourceVersion: ${JSON.stringify(version)}`);
  if (query.get('continue') && version !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  return version === '0' ? undefined : { version, exact: query.get('resourceVersionMatch') === 'Exact' };
};

/**
 * A list at the version that is wanted. Every list shows the newest state, so one at least as new is there unless it is
 * of the future: then it is waited for. The past is not kept: an older version is only "expired".
 */
export const listAtVersion = async (
  { clock, request }: Call,
  wanted: WantedVersion | undefined,
  read: () => Promise<ListResult>,
): Promise<ListResult> => {
  const end = clock.now().getTime() + PATIENCE_MILLISECONDS;
  for (;;) {
    const found = await read();
    if (!wanted || found.resourceVersion === wanted.version) return found;
    if (BigInt(found.resourceVersion) > BigInt(wanted.version)) {
      if (wanted.exact) throw new StatusError(410, 'Expired', 'The resourceVersion for the provided list is too old.');
      return found;
    }
    if (clock.now().getTime() >= end) throw tooLarge(wanted.version, found.resourceVersion);
    await clock.sleep(LOOK_MILLISECONDS, request.signal);
  }
};

const tooLarge = (wanted: string, current: string): StatusError =>
  new StatusError(504, 'Timeout', `Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version', field: '' }],
    retryAfterSeconds: 1,
  });
