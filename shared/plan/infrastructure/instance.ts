import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';

/**
 * What the planners need to know about a machine's infrastructure beyond the contract's fields. A provider derives it
 * only from the object and its record, without a call.
 */
export interface InstanceFacts {
  /** The instance existed and has ended. It cannot come back: only another machine replaces it. */
  readonly gone: boolean;
  /** The instance ran when it was last seen. */
  readonly running: boolean;
  /** An instance may exist, and so may have joined a cluster, although nothing may be known of it. */
  readonly mayHaveRun: boolean;
  /**
   * RFC 3339: when the start of the instance was decided. From then on the bootstrap data is final. Undefined before
   * that, and for an instance that was launched elsewhere.
   */
  readonly decidedAt: string | undefined;
  /** Creating the instance has failed for a reason that a user must correct. */
  readonly failed: boolean;
  /** The provider may reclaim the instance at any time. */
  readonly interruptible: boolean;
  /** The failure domain of the instance, once known. */
  readonly zone: string | undefined;
  /** Its template names an image, which determines its version of Kubernetes. */
  readonly fixesImage: boolean;
  /**
   * What the provider calls the instance, in its events as well: the last part of its provider id. The machine of an
   * instance is found by it (shared/store/indexes/instance-index.ts).
   */
  readonly name: string | undefined;
}

/** The infrastructure object of a machine with the facts that its provider finds in it. */
export interface ObservedMachine<T extends InfrastructureMachine = InfrastructureMachine> {
  readonly object: T;
  readonly facts: InstanceFacts;
}
