import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, OwnerReference } from '../../kube-api/object.ts';
import { MAX_OWNERS } from '../../kube-api/owner-limits.ts';
import { LABEL } from '../labels.ts';
import { controllerReference, ownerReference, withOwner } from './desired.ts';

/** A Machine or a MachinePool. */
export interface PartOwner extends KubeObject {
  spec: { clusterName: string };
}

const groupOf = (apiVersion: string): string => apiVersion.split('/')[0] ?? '';

/**
 * Whether a reference names an object, with any uid and in any version: objects that were restored have new uids. As in
 * upstream, names are compared.
 */
export const isNamedBy = (
  reference: OwnerReference,
  { apiVersion, kind, metadata }: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>,
): boolean =>
  reference.kind === kind && reference.name === metadata.name && groupOf(reference.apiVersion) === groupOf(apiVersion);

/**
 * The object with `owner` as its controller. As in upstream, a Machine or a MachinePool takes control of the objects to
 * which it refers, including those that a user has created. The object gets the label of the cluster, and the finalizer
 * if one is given. Other owners remain, but without control, because an object has one controller. A former uid of the
 * owner is replaced.
 */
export const withController = <T extends KubeObject>(object: T, owner: PartOwner, finalizer?: string): T => {
  const { labels, ownerReferences = [], finalizers = [] } = object.metadata;
  const others = ownerReferences.filter((one) => !isNamedBy(one, owner)).map(({ controller: _, ...other }) => other);
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...labels, [LABEL.clusterName]: owner.spec.clusterName },
      ownerReferences: withOwner(others, controllerReference(owner)),
      ...(finalizer === undefined ? {} : { finalizers: [...new Set([...finalizers, finalizer])] }),
    },
  };
};

/** The same; undefined if the object lacks nothing, or is being deleted. */
export const withLostController = <T extends KubeObject>(
  object: T,
  owner: PartOwner,
  finalizer?: string,
): T | undefined => {
  if (object.metadata.deletionTimestamp) return undefined;
  const next = withController(object, owner, finalizer);
  return isDeepStrictEqual(next.metadata, object.metadata) ? undefined : next;
};

/**
 * The object with a further owner that does not control it; the same object if it already has that owner, or no room for
 * another one.
 */
export const withFurtherOwner = <T extends KubeObject>(object: T, owner: KubeObject): T => {
  const { ownerReferences } = object.metadata;
  const reference = ownerReference(owner);
  const isOwner = ({ uid, apiVersion }: OwnerReference): boolean =>
    uid === reference.uid && apiVersion === reference.apiVersion;
  if (ownerReferences?.some(isOwner)) return object;
  const owners = withOwner(ownerReferences, reference);
  return owners.length > MAX_OWNERS ? object : { ...object, metadata: { ...object.metadata, ownerReferences: owners } };
};

/**
 * The object with the current versions of `owners` (by uid) in its references; undefined if it already has them. A
 * version that is no longer served would hide the owner from garbage collectors and from `clusterctl move`.
 */
export const withCurrentVersions = <T extends KubeObject>(
  object: T,
  owners: ReadonlyMap<string, KubeObject>,
): T | undefined => {
  const { ownerReferences = [] } = object.metadata;
  const next = ownerReferences.map((reference) => {
    const owner = owners.get(reference.uid);
    const isOutdated = owner?.kind === reference.kind && owner.apiVersion !== reference.apiVersion;
    return isOutdated ? { ...reference, apiVersion: owner.apiVersion } : reference;
  });
  const isCurrent = next.every((reference, index) => reference === ownerReferences[index]);
  return isCurrent ? undefined : { ...object, metadata: { ...object.metadata, ownerReferences: next } };
};
