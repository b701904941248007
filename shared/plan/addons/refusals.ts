import type { WorkloadRefusedError } from '../../workload/client.ts';
import type { ManifestObject } from './manifests.ts';
import type { ResourceRef } from './source.ts';

export interface Refusal {
  object: ManifestObject;
  error: WorkloadRefusedError;
}

const MAX_SHOWN = 3;

const titleOf = ({ kind, metadata: { name, namespace } }: ManifestObject): string =>
  `${kind} ${namespace ? `${namespace}/` : ''}${name}`;

/** An API server's words may quote what it refuses, so those about a secret are not passed on. */
const isSecret = (ref: ResourceRef, { kind }: ManifestObject): boolean => ref.kind === 'Secret' || kind === 'Secret';

const describe = (ref: ResourceRef, { object, error }: Refusal): string => {
  const isSafe = error.reason === 'UnknownKind' || !isSecret(ref, object);
  return `${titleOf(object)}: ${(isSafe && error.words) || error.refused}`;
};

/** What a condition says of the objects of a resource that an API server refused; never a value of a secret. */
export const describeRefusals = (ref: ResourceRef, refusals: readonly Refusal[]): string => {
  const shown = refusals.slice(0, MAX_SHOWN).map((refusal) => describe(ref, refusal));
  const more = refusals.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
};
