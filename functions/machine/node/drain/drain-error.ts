import { WorkloadRefusedError, WorkloadUnreachableError } from '../../../../shared/workload/client.ts';

/** A node cannot be drained at present; `message` gives the reason, and is shown to users. */
export class DrainError extends Error {
  override readonly name = 'DrainFailed';
}

/** The reason why the workload cluster blocks the deletion; undefined for errors that it does not cause. */
export const whyNot = (error: unknown): string | undefined => {
  const isTheirs =
    error instanceof DrainError || error instanceof WorkloadUnreachableError || error instanceof WorkloadRefusedError;
  return isTheirs ? error.message : undefined;
};
