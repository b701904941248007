/** A topology that cannot be computed. Its message is shown in the condition TopologyReconciled, in upstream's words. */
export class TopologyError extends Error {
  override readonly name = 'TopologyError';
}

/** Runs a part, and says before its errors what failed by them, as upstream wraps errors. */
export const wrapping = <T>(what: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    if (error instanceof TopologyError) throw new TopologyError(`${what}: ${error.message}`);
    throw error;
  }
};
