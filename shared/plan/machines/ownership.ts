import type { KubeObject, OwnerReference } from '../../kube-api/object.ts';
import { LABEL } from '../labels.ts';
import { controllerReference, withOwner } from './desired.ts';

/** A Machine or a MachinePool. */
interface Owner extends KubeObject {
  spec: { clusterName: string };
}

const groupOf = (apiVersion: string): string => apiVersion.split('/')[0] ?? '';

/**
 * The object with `owner` as its controller, as upstream makes the objects that a Machine or a MachinePool refers to its
 * own, also those that a user has created. It gets the label of the cluster and the finalizer, if one is given. Other
 * owners stay without control: an object has one controller. A former uid of the owner is replaced.
 */
export const withController = <T extends KubeObject>(object: T, owner: Owner, finalizer?: string): T => {
  const { labels, ownerReferences = [], finalizers = [] } = object.metadata;
  const isFormer = ({ apiVersion, kind, name }: OwnerReference): boolean =>
    kind === owner.kind && name === owner.metadata.name && groupOf(apiVersion) === groupOf(owner.apiVersion);
  const others = ownerReferences.filter((one) => !isFormer(one)).map(({ controller: _, ...other }) => other);
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
