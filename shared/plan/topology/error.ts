/**
 * A topology that cannot be computed. Its message, in upstream's wording, is shown in the condition TopologyReconciled.
 */
export class TopologyError extends Error {
  override readonly name = 'TopologyError';
  /** The reason of the condition; by default, the one for a failure. */
  readonly reason: string | undefined;
  constructor(message: string, reason?: string) {
    super(message);
    this.reason = reason;
  }
}

/** Runs a part, and prefixes its errors with what has failed, as upstream does. */
export const wrapping = <T>(what: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    if (error instanceof TopologyError) throw new TopologyError(`${what}: ${error.message}`, error.reason);
    throw error;
  }
};
