import type { OwnerReference } from '../kube-api/object.ts';
import type { ResourceDefinition } from '../kube-api/resource.ts';
import { KINDS } from './index.ts';

/** A reference to an object in the same namespace, as Cluster API writes it: no version. */
export interface Reference {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

type GroupKind = Pick<ResourceDefinition, 'group' | 'kind'>;

/**
 * Whether a reference means a kind: kind and group, because other providers have kinds of the same name. A reference
 * without a group, as older releases stored it, goes by the kind alone.
 */
export const refersTo = ({ group, kind }: GroupKind, reference: Reference | undefined): boolean =>
  kind === reference?.kind && group === (reference.apiGroup ?? group);

/** Whether no kind of ours is of this group and kind. */
export const unservedKind = (reference: Reference): boolean => !KINDS.some((kind) => refersTo(kind, reference));

/** Why a reference may lead nowhere: its kind is not one of ours. Undefined where it is. */
export const unserved = (reference: Reference): string | undefined =>
  unservedKind(reference)
    ? `kind "${reference.kind}" in group "${reference.apiGroup ?? ''}" is not one of Windlass; a CustomResourceDefinition with the label cluster.x-k8s.io/v1beta2 or cluster.x-k8s.io/v1beta1 has to describe it`
    : undefined;

/** What is missing where a reference leads nowhere. */
export const absenceOf = (reference: Reference, namespace?: string): string => {
  const { kind, name } = reference;
  const why = unserved(reference);
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name} does not exist${why ? `: ${why}` : ''}`;
};

/** Whether an owner reference names an object of a kind, in whichever version. */
export const isOwnedByKind =
  ({ group, kind }: GroupKind) =>
  (owner: Pick<OwnerReference, 'apiVersion' | 'kind'>): boolean =>
    owner.kind === kind && owner.apiVersion.split('/').slice(0, -1).join('/') === group;
