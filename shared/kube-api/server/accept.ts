import { StatusError } from '../status-error.ts';

/** How the client wants the answer. */
export interface Accepted {
  /** `yaml` only where the client names it first. */
  format: 'json' | 'yaml';
  as: 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
}

const TRANSFORMS: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/**
 * Chooses from an `Accept` header the first media type that the server can write, as client-go orders them by
 * preference. Throws a StatusError 406 where there is none.
 */
export const negotiate = (header: string | null): Accepted => {
  const wanted = header === null || header.trim() === '' ? '*/*' : header;
  for (const clause of wanted.split(',')) {
    const accepted = readClause(clause);
    if (accepted) return accepted;
  }
  const message = 'only the following media types are accepted: application/json, application/yaml';
  throw new StatusError(406, 'NotAcceptable', message);
};

const readClause = (clause: string): Accepted | undefined => {
  const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
  const format = formatOf(type.toLowerCase());
  const as = parameters.find((parameter) => parameter.startsWith('as='))?.slice('as='.length);
  if (!format || (as !== undefined && !TRANSFORMS.has(as))) return undefined;
  return { format, as: (as ?? 'Object') as Accepted['as'] };
};

const formatOf = (type: string): Accepted['format'] | undefined => {
  if (type === 'application/json' || type === 'application/*' || type === '*/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
};
