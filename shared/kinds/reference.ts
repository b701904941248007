import type { OwnerReference } from '../kube-api/object.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { KINDS } from './index.ts';

/** A reference to an object in the same namespace, in Cluster API's form: it has no version. */
export interface Reference {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

type GroupKind = Pick<ResourceDefinition, 'group' | 'kind'>;

/**
 * Whether a reference is to a kind. Kind and group are compared, because other providers have kinds with the same name.
 * A reference without a group, which older releases stored, is resolved by the kind alone.
 */
export const refersTo = ({ group, kind }: GroupKind, reference: Reference | undefined): boolean =>
  kind === reference?.kind && group === (reference.apiGroup ?? group);

/** Whether the kind of a reference is not built in. */
export const unservedKind = (reference: Reference): boolean => !KINDS.some((kind) => refersTo(kind, reference));

/** Why a reference may not be resolved: its kind is not built in. Undefined if it is. */
export const unserved = (reference: Reference): string | undefined =>
  unservedKind(reference)
    ? `kind "${reference.kind}" in group "${reference.apiGroup ?? ''}" is not built in: check its spelling, or that a CustomResourceDefinition with the label cluster.x-k8s.io/v1beta2 or cluster.x-k8s.io/v1beta1 defines it`
    : undefined;

/** What is missing if a reference cannot be resolved. */
export const absenceOf = (reference: Reference, namespace?: string): string => {
  const { kind, name } = reference;
  const why = unserved(reference);
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name} does not exist${why ? `: ${why}` : ''}`;
};

/** Whether an owner reference names an object of a kind, in any version. */
export const isOwnedByKind =
  ({ group, kind }: GroupKind) =>
  (owner: Pick<OwnerReference, 'apiVersion' | 'kind'>): boolean =>
    owner.kind === kind && owner.apiVersion.split('/').slice(0, -1).join('/') === group;
