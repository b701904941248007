import type { ManifestObject } from './manifests.ts';
import type { ResourceRef } from './source.ts';

/** The parts of an API server's refusal that are reported. */
interface ApiRefusal {
  /** The server's reason, or `UnknownKind`. */
  reason: string;
  /** Code, reason and fields, without quotations. */
  refused: string;
  /** The server's own text. It may quote the request, so it is only for requests without secrets. */
  words: string;
}

export interface Refusal {
  object: ManifestObject;
  error: ApiRefusal;
}

const MAX_SHOWN = 3;

/** The valid names of an object. Any other text may be a secret that was put in the wrong place. */
const NAME = /^[\w.:-]{1,253}$/;

const shown = (text: string): string => (NAME.test(text) ? text : '…');

const titleOf = ({ kind, metadata: { name, namespace } }: ManifestObject): string =>
  `${shown(kind)} ${namespace ? `${shown(namespace)}/` : ''}${shown(name)}`;

/** An API server may quote what it refuses, so its text is not reported for Secrets. */
const isSecret = (ref: ResourceRef, { kind }: ManifestObject): boolean => ref.kind === 'Secret' || kind === 'Secret';

const whyOf = ({ reason, refused }: ApiRefusal): string =>
  reason === 'UnknownKind' ? 'the cluster does not serve its kind' : refused;

const describe = (ref: ResourceRef, { object, error }: Refusal): string => {
  const isSafe = !isSecret(ref, object);
  return `${titleOf(object)}: ${(isSafe && error.words) || whyOf(error)}`;
};

/** An event about fields that the cluster does not know; their names are not shown if they may be secrets. */
export const describeUndeclared = (ref: ResourceRef, object: ManifestObject, fields: readonly string[]): string => {
  const what = `the cluster does not know ${fields.length === 1 ? 'a field' : `${fields.length} fields`} of it`;
  if (isSecret(ref, object)) return `${titleOf(object)}: ${what}`;
  const more = fields.length > MAX_SHOWN ? ` and ${fields.length - MAX_SHOWN} more` : '';
  return `${titleOf(object)}: ${what}: ${fields.slice(0, MAX_SHOWN).join(', ')}${more}`;
};

/** A condition about the objects of a resource that an API server has refused; never contains a value of a Secret. */
export const describeRefusals = (ref: ResourceRef, refusals: readonly Refusal[]): string => {
  const first = refusals.slice(0, MAX_SHOWN).map((refusal) => describe(ref, refusal));
  const more = refusals.length - first.length;
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
};
