import { awsCodeOf, describeAwsError } from './aws/errors.ts';

/** Classes whose messages we compose from names, fields and counts; see shared/errors.ts. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'Throttled',
  'Transient',
  'QuotaExceeded',
  'CapacityUnavailable',
  'Refused',
  'MissingReference',
  'Conflict',
  'NotFound',
  'AlreadyExists',
  'InvalidObject',
]);

/**
 * What may be reported about an error to tenants and operators. Messages of parsers and of the runtime quote their
 * input, which may contain secrets, so for those only the error's name is given.
 */
export const safeReason = (error: unknown): string => {
  if (awsCodeOf(error) !== undefined) return describeAwsError(error);
  if (!(error instanceof Error)) return 'unknown error';
  return OWN_WORDS.has(error.name) ? `${error.name}: ${error.message}` : error.name;
};

/** Where an error was thrown, as `at f (file:line:column)`, for logs: the stack without the message. */
export const placeOf = (error: unknown): string | undefined =>
  error instanceof Error
    ? error.stack
        ?.split('\n')
        .find((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
        ?.trim()
    : undefined;
