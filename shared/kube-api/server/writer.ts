import { forbiddenField, required } from '../field-error.ts';
import type { FieldError } from '../resource.ts';
import { invalid } from '../status-error.ts';
import type { Call } from './call.ts';

const MAX_BYTES = 128;

const isPrintable = (character: string): boolean => character === ' ' || !/[\p{C}\p{Z}]/u.test(character);

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const nameErrors = (name: string): FieldError[] => {
  const field = 'fieldManager';
  const tooLong: FieldError = { type: 'FieldValueTooLong', field, detail: `may not be more than ${MAX_BYTES} bytes` };
  let position = 0;
  const unprintable = [...name].flatMap((character): FieldError[] => {
    const at = position;
    position += Buffer.byteLength(character);
    if (isPrintable(character)) return [];
    const detail = `invalid character ${codePoint(character)} (at position ${at})`;
    return [{ type: 'FieldValueInvalid', field, badValue: name, detail }];
  });
  return [...(Buffer.byteLength(name) > MAX_BYTES ? [tooLong] : []), ...unprintable];
};

const OPTIONS: Readonly<Record<string, string>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
};

const refuse = ({ request }: Call, errors: readonly FieldError[]): void => {
  const kind = OPTIONS[request.method] ?? 'UpdateOptions';
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
};

/** The text up to the first slash; programs put their version after it. */
const fromUserAgent = (userAgent: string): string => {
  let name = '';
  for (const character of userAgent.split('/')[0] ?? '') {
    if (!isPrintable(character)) continue;
    if (Buffer.byteLength(name + character) > MAX_BYTES) break;
    name += character;
  }
  return name;
};

/**
 * The name with which a write is recorded in managedFields: the parameter `fieldManager`, or else the client's name for
 * itself. Throws a StatusError 422 for an invalid name, and for `force` if nothing is applied.
 */
export const fieldManagerOf = (call: Call): string => {
  const { query, request } = call;
  const name = query.get('fieldManager') ?? '';
  const isForced = request.method === 'PATCH' && query.has('force');
  refuse(call, [
    ...(isForced ? [forbiddenField('force', 'may not be specified for non-apply patch')] : []),
    ...nameErrors(name),
  ]);
  return name || fromUserAgent(request.headers.get('user-agent') ?? '') || 'unknown';
};

/** The manager of an apply. It is required, because the next apply uses the same name. */
export const applierOf = (call: Call): string => {
  const name = call.query.get('fieldManager') ?? '';
  refuse(call, [
    ...(name === '' ? [required('fieldManager', 'is required for apply patch')] : []),
    ...nameErrors(name),
  ]);
  return name;
};
