import type { KubeObject } from '../object.ts';
import type { RegistryOptions, WriteEvent } from '../registry/registry.ts';

/**
 * Makes a write, with the required steps before and after it, and returns the stored object. Only if the storage
 * refuses it (`isRefused`) is it known that nothing was written: for any other error the follower is not called, as
 * after a crash. `withdraw` removes what was written if it must not stay, and then returns the reason.
 */
export const followedWrite = async <T extends KubeObject>(
  options: Pick<RegistryOptions, 'onWrite' | 'beforeWrite'>,
  event: WriteEvent & { object: T },
  write: () => Promise<T>,
  withdraw?: (stored: T) => Promise<Error | undefined>,
): Promise<T> => {
  const followed = await options.beforeWrite?.(event);
  let stored: T;
  try {
    stored = await write();
  } catch (error) {
    if (isRefused(error)) await followed?.refused(error);
    throw error;
  }
  const withdrawn = await withdraw?.(stored);
  if (withdrawn) {
    await followed?.refused(withdrawn);
    throw withdrawn;
  }
  const happened = { ...event, object: stored };
  await options.onWrite?.(happened);
  await followed?.written(happened);
  return stored;
};

const REFUSALS: ReadonlySet<string> = new Set(['Conflict', 'NotFound', 'AlreadyExists', 'TooLarge']);

/** Whether a storage says that it has written nothing (shared/errors.ts). */
const isRefused = (error: unknown): boolean => error instanceof Error && REFUSALS.has(error.name);
