import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';

/** What a write does to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** One write, as admission sees it. Objects are of the version that the client wrote. */
export interface AdmissionAttempt {
  operation: Operation;
  resource: ResourceDefinition;
  /** The name in the request: empty for `generateName`, even after the name has been generated. */
  name: string;
  /** Empty for kinds that are not in one; a Namespace's own name. */
  namespace: string;
  /** What is to be stored; undefined for a deletion. A function, so that it is computed only if it is needed. */
  object?(): KubeObject | Promise<KubeObject>;
  /** What is stored; undefined for a creation. */
  old?: KubeObject | undefined;
  dryRun: boolean;
}

/** Decides on the writes of one request besides the rules of the kind. Both throw a StatusError to refuse a write. */
export interface Admission {
  /** Called before the object is validated. Returns the object to store instead, if it differs. */
  mutate(attempt: AdmissionAttempt): Promise<{ object?: KubeObject; warnings: readonly string[] }>;
  /** Called with the object as it will be stored. Returns warnings. */
  validate(attempt: AdmissionAttempt): Promise<readonly string[]>;
}

/** How refusals name the object of an attempt (k8s.io/apiserver, admission NewForbidden). */
export const shownName = ({ name }: AdmissionAttempt, object: KubeObject | undefined): string =>
  name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
