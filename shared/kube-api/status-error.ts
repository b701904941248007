import { formatCauses, type StatusCause, summarize } from './field-error.ts';
import type { ResourceId } from './object.ts';
import { quote } from './quote.ts';
import type { FieldError } from './resource.ts';

/** metav1.StatusDetails. `kind` is the plural, except if the object is invalid: then it is the kind. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** metav1.Status: the body of every response that is not an object. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/**
 * A refusal in the API's own terms: HTTP code, machine-readable reason and message. The wording is that of
 * k8s.io/apimachinery/pkg/api/errors, because kubectl and scripts print and match it.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  readonly metadata: Status['metadata'];
  /** Additional warnings for the client, as in a successful request. */
  warnings: readonly string[] = [];
  constructor(
    code: number,
    reason: string,
    message: string,
    details?: StatusDetails,
    metadata: Status['metadata'] = {},
  ) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.metadata = metadata;
  }
}

/** Runs `work`, and adds the warnings to its refusal. */
export const warning = async <T>(warnings: readonly string[], work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...warnings, ...error.warnings];
    throw error;
  }
};

export const failure = ({ code, reason, message, details, metadata }: StatusError): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata,
  status: 'Failure',
  message,
  ...(reason ? { reason } : {}),
  ...(details ? { details } : {}),
  code,
});

/** `machines.cluster.x-k8s.io`, or only the plural in the core group. */
export const qualified = ({ group, plural }: ResourceId): string => (group === '' ? plural : `${plural}.${group}`);

const detailsOf = ({ group, plural }: ResourceId, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind: plural,
});

export const notFound = (resource: ResourceId, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualified(resource)} ${quote(name)} not found`, detailsOf(resource, name));

export const alreadyExists = (resource: ResourceId, name: string): StatusError =>
  new StatusError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name));

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

export const conflict = (resource: ResourceId, name: string, why: string = MODIFIED): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  );

export const forbidden = (
  resource: ResourceId,
  name: string,
  why: string,
  causes?: StatusDetails['causes'],
): StatusError =>
  new StatusError(403, 'Forbidden', `${qualified(resource)}${name === '' ? '' : ` "${name}"`} is forbidden: ${why}`, {
    ...detailsOf(resource, name),
    ...(causes ? { causes } : {}),
  });

export const timedOut = (): StatusError =>
  new StatusError(504, 'Timeout', 'Timeout: request did not complete within requested timeout', {});

export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message);

/** The response for a missing path among upstream's own kinds. */
export const nothingThere = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});

export const methodNotAllowed = (): StatusError =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

/** 405; for built-in kinds, the method is refused before the path is checked. */
export const methodNotSupported = (resource: ResourceId & { builtIn: boolean }, verb: string): StatusError =>
  resource.builtIn
    ? methodNotAllowed()
    : new StatusError(
        405,
        'MethodNotAllowed',
        `${verb} is not supported on resources of kind "${qualified(resource)}"`,
        {
          ...(resource.group === '' ? {} : { group: resource.group }),
          kind: resource.plural,
        },
      );

/** 422 with one cause for each field error. */
export const invalid = (
  { group, kind }: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError =>
  new StatusError(
    422,
    'Invalid',
    `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${summarize(errors)}`,
    {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      ...(kind === '' ? {} : { kind }),
      causes: formatCauses(errors),
    },
  );
