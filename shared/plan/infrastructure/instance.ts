import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';

/**
 * The facts about a machine's infrastructure that the planners need in addition to the contract's fields. A provider
 * derives them only from the object and its record, without a call.
 */
export interface InstanceFacts {
  /** The instance existed and has ended. It cannot be started again, so only another machine can replace it. */
  readonly gone: boolean;
  /** The instance ran when it was last seen. */
  readonly running: boolean;
  /** An instance may exist, and so may have joined a cluster, although nothing is known about it. */
  readonly mayHaveRun: boolean;
  /**
   * RFC 3339: when it was decided to start the instance. From then on, the bootstrap data are final. Undefined before
   * that, and for an instance that was launched elsewhere.
   */
  readonly decidedAt: string | undefined;
  /** The instance could not be created, for a reason that a user must correct. */
  readonly failed: boolean;
  /** The provider may reclaim the instance at any time. */
  readonly interruptible: boolean;
  /** The failure domain of the instance; undefined as long as it is unknown. */
  readonly zone: string | undefined;
  /** Its template names an image, which determines the version of Kubernetes. */
  readonly fixesImage: boolean;
  /**
   * The provider's name for the instance, which is also used in its events: the last part of its provider id. The
   * machine of an instance is found by it (shared/store/indexes/instance-index.ts).
   */
  readonly name: string | undefined;
}

/** The infrastructure object of a machine, with the facts that its provider derives from it. */
export interface ObservedMachine<T extends InfrastructureMachine = InfrastructureMachine> {
  readonly object: T;
  readonly facts: InstanceFacts;
}
