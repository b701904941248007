import type { KubeObject } from './object.ts';
import type { ResourceDefinition } from './resource.ts';

/** What a write does to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

/** One write, as those see it who admit it. Objects are those of the definition that they are written by. */
export interface AdmissionAttempt {
  operation: Operation;
  resource: ResourceDefinition;
  /** That of the request: empty if it is made of `generateName`, also once it was made. */
  name: string;
  /** Empty for kinds that are not in one; a Namespace's own name. */
  namespace: string;
  /** What is to be stored; undefined for a deletion. Asked only where someone looks at it. */
  object?(): KubeObject | Promise<KubeObject>;
  /** What is stored; undefined for a creation. */
  old?: KubeObject | undefined;
  dryRun: boolean;
}

/** Decides on the writes of one request besides the rules of the kind. Both throw a StatusError to refuse a write. */
export interface Admission {
  /** Asked before the object is checked: gives the object that is to be stored in its place, where it is another one. */
  mutate(attempt: AdmissionAttempt): Promise<{ object?: KubeObject; warnings: readonly string[] }>;
  /** Asked with the object as it will be stored: gives warnings. */
  validate(attempt: AdmissionAttempt): Promise<readonly string[]>;
}

/** How refusals name the object of an attempt (k8s.io/apiserver, admission NewForbidden). */
export const shownName = ({ name }: AdmissionAttempt, object: KubeObject | undefined): string =>
  name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
