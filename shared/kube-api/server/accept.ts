import type { ResourceDefinition } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import type { MetaVersion } from '../table/table.ts';

/** The format that the client wants for the response. */
export interface Accepted {
  /** `yaml` only if it is the client's first choice. */
  format: 'json' | 'yaml';
  as: 'Object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** The version of meta.k8s.io, for every form except `Object`. */
  version: MetaVersion;
}

const TRANSFORMS: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** The versions of the transforms. They differ only in their names; clients until 2019 request the older one. */
const VERSIONS: readonly MetaVersion[] = ['v1', 'v1beta1'];

/** The requested format. `withoutTable`: never a table. */
type Shown = Pick<ResourceDefinition, 'builtIn'> & { withoutTable?: boolean };

const FORMATS = 'application/json, application/yaml';

/**
 * Selects from an `Accept` header the first media type that the server can write, as client-go orders them by
 * preference. Throws a StatusError 406 if there is none.
 */
export const negotiate = (header: string | null, { builtIn, withoutTable }: Shown): Accepted => {
  const wanted = header === null || header.trim() === '' ? '*/*' : header;
  if (builtIn) requireNamed(wanted);
  const clauses = wanted.split(',').map((clause) => ({ clause, quality: qualityOf(clause) }));
  // Sorting is stable: of equal preferences, the first one is used.
  for (const { clause } of clauses.toSorted((a, b) => b.quality - a.quality)) {
    const accepted = readClause(clause);
    if (accepted && !(withoutTable && accepted.as === 'Table')) return accepted;
  }
  throw notAcceptable(`only the following media types are accepted: ${FORMATS}`);
};

const NAMED = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', '*/*'];

/** For built-in kinds one of the types must be named, which is checked before anything else. */
const requireNamed = (header: string): void => {
  const types = header.split(',').map((clause) => clause.split(';')[0]?.trim() ?? '');
  if (types.some((type) => NAMED.includes(type))) return;
  throw notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${FORMATS}`, {});
};

export const notAcceptable = (message: string, details?: Record<string, never>): StatusError =>
  new StatusError(406, 'NotAcceptable', message, details);

const qualityOf = (clause: string): number => Number(/;\s*q=([\d.]+)/.exec(clause)?.[1] ?? 1);

const readClause = (clause: string): Accepted | undefined => {
  const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
  const format = formatOf(type.toLowerCase());
  const as = parameters.find((parameter) => parameter.startsWith('as='))?.slice('as='.length);
  if (!format) return undefined;
  if (as === undefined) return { format, as: 'Object', version: 'v1' };
  const version = VERSIONS.find((name) => parameters.includes(`v=${name}`));
  if (!version || !TRANSFORMS.has(as) || !parameters.includes('g=meta.k8s.io')) return undefined;
  return { format, as: as as Accepted['as'], version };
};

const formatOf = (type: string): Accepted['format'] | undefined => {
  if (type === 'application/json' || type === 'application/*' || type === '*/*') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
};
