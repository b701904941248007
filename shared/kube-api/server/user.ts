import type { KubeObject } from '../object.ts';
import type { ResourceDefinition } from '../resource.ts';

/** The requesting user, as found by the authentication in front of the server. */
export interface User {
  name: string;
  groups: readonly string[];
  uid?: string;
  /** Additional information for users who ask who they are. */
  extra?: Readonly<Record<string, readonly string[]>>;
}

/** The input of an authorizer's decision. Resource requests have a resource, and others a path. */
export interface Attributes {
  verb: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  path?: string;
}

/** `reason` names the binding that allows it, or says why the authorizer could not determine more. */
export interface Decision {
  allowed: boolean;
  reason?: string;
}

export type Authorize = (user: User, attributes: Attributes) => boolean | Decision | Promise<boolean | Decision>;

/** Everything that a user may do in a namespace, in the form of a SubjectRulesReviewStatus. */
export interface UserRules {
  resourceRules: { verbs: string[]; apiGroups: string[]; resources: string[]; resourceNames?: string[] }[];
  nonResourceRules: { verbs: string[]; nonResourceURLs: string[] }[];
  /** True if there may be more that cannot be determined. */
  incomplete: boolean;
  evaluationError?: string;
}

/** A write that passed validation and is about to be stored. */
export interface WriteAttempt {
  resource: ResourceDefinition;
  object: KubeObject;
  old?: KubeObject;
  /** `object` is about to be deleted. */
  isDeletion?: boolean;
}

/** Decides who may do what. */
export interface AccessControl {
  /** The server's user for an authenticated one. */
  identify?(user: User): Promise<User>;
  authorize: Authorize;
  rulesOf(user: User, namespace: string): Promise<UserRules>;
  /**
   * The meaning of a user's update of `current` to `body`: `body`, or with the controllers' fields that it must also
   * keep, or a promise of it.
   */
  completeUpdate?(user: User, write: { resource: ResourceDefinition; current: KubeObject; body: unknown }): unknown;
  /**
   * Throws a StatusError for a write that refers to objects which the user may not read, before its rules read them. The
   * object has only been decoded: it may lack fields that its schema requires.
   */
  admitRelated?(user: User, attempt: WriteAttempt): Promise<void>;
  /** Throws a StatusError for a write that would change rights in a way that the user may not. */
  admit(user: User, attempt: WriteAttempt): Promise<void>;
}
