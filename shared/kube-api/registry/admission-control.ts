import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';

/** The operation of a write. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** One write in the form that admission gets. Objects are in the version that the client wrote. */
export interface AdmissionAttempt {
  operation: Operation;
  resource: ResourceDefinition;
  /** The name in the request: empty for `generateName`, even after the name has been generated. */
  name: string;
  /** Empty for cluster-scoped kinds; for a Namespace, its own name. */
  namespace: string;
  /** The object to be stored; undefined for a deletion. A function, so that it is only computed if it is needed. */
  object?(): KubeObject | Promise<KubeObject>;
  /** The stored object; undefined for a creation. */
  old?: KubeObject | undefined;
  dryRun: boolean;
}

/**
 * Decides on the writes of one request, in addition to the rules of the kind. Both functions throw a StatusError to
 * refuse a write.
 */
export interface Admission {
  /** Called before the object is validated. Returns the object to store instead, if it differs. */
  mutate(attempt: AdmissionAttempt): Promise<{ object?: KubeObject; warnings: readonly string[] }>;
  /** Called with the object as it will be stored. Returns warnings. */
  validate(attempt: AdmissionAttempt): Promise<readonly string[]>;
}

/** The name of an attempt's object in refusals (k8s.io/apiserver, admission NewForbidden). */
export const shownName = ({ name }: AdmissionAttempt, object: KubeObject | undefined): string =>
  name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
