/** The shapes that every Kubernetes object shares, whatever its kind. */

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  subresource?: string;
}

export interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
}

/** metav1.Condition. `lastTransitionTime` is RFC 3339 in whole seconds, UTC. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** An object of any kind. Typed kinds (shared/kinds) extend this with their own `spec` and `status`. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** Group and plural name the resource type in storage and in URLs; the core group is the empty string. */
export interface ResourceId {
  group: string;
  plural: string;
}

/** RFC 3339, UTC, whole seconds: the format of every metav1.Time. */
export const formatTime = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** Where an object is; the namespace of one without a namespace is empty. */
export interface ObjectKey {
  namespace: string;
  name: string;
}

/** An object by its name, or exactly the object that was read: another one may have its name since. */
export type Target = ObjectKey | Pick<KubeObject, 'metadata'>;

/** Where an object is. */
export const keyOf = ({ metadata: { namespace = '', name } }: Pick<KubeObject, 'metadata'>): ObjectKey => ({
  namespace,
  name,
});

/** Where a target is, and the uid that it must have there, if any. */
export const lookUp = (target: Target): { key: ObjectKey; uid?: string | undefined } =>
  'metadata' in target ? { key: keyOf(target), uid: target.metadata.uid } : { key: target };
