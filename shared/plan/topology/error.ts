/** A topology that cannot be computed. Its message is shown in the condition TopologyReconciled, in upstream's words. */
export class TopologyError extends Error {
  override readonly name = 'TopologyError';
  /** Of the condition; by default that of a failure. */
  readonly reason: string | undefined;
  constructor(message: string, reason?: string) {
    super(message);
    this.reason = reason;
  }
}

/** Runs a part, and says before its errors what failed by them, as upstream wraps errors. */
export const wrapping = <T>(what: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    if (error instanceof TopologyError) throw new TopologyError(`${what}: ${error.message}`, error.reason);
    throw error;
  }
};
