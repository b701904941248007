import type { Clock } from '../../clock.ts';

/** How often the permission of an open watch is checked. */
const ASK_EVERY_MILLISECONDS = 10_000;

/** How long a watch continues if its permission cannot be read. */
const PATIENCE_MILLISECONDS = 30_000;

export interface Permission {
  mayGoOn(): Promise<boolean>;
  /** Receives each failure of `mayGoOn`. */
  onFailure(error: unknown): void;
}

/**
 * The same response, which ends as soon as its reader loses the permission. The permission is checked before data are
 * passed on, and a watch writes at least its keep-alives, so a revoked right also ends a quiet watch. If the permission
 * cannot be read, it is read again with the next data, and the response ends if that fails for too long.
 */
export const revocable = (response: Response, clock: Clock, permission: Permission): Response => {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const isRevoked = revocation(clock, permission);
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { value, done } = await reader.read();
    if (!done && !(await isRevoked())) return controller.enqueue(value);
    controller.close();
    await reader.cancel();
  };
  const pullOrCancel: typeof pull = (controller) =>
    pull(controller).catch(async (error: unknown) => {
      // The inner stream releases its resources. If it has failed by itself, it has already done so, and rejects.
      await reader.cancel(error).catch(() => {});
      throw error;
    });
  // Nothing is read ahead: what the inner stream has ready suffices.
  const body = new ReadableStream(
    { pull: pullOrCancel, cancel: (reason) => reader.cancel(reason) },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
};

/** Whether the permission is gone, or has been unknown for too long. */
const revocation = (clock: Clock, { mayGoOn, onFailure }: Permission) => {
  let known = clock.now().getTime();
  return async (): Promise<boolean> => {
    const now = clock.now().getTime();
    if (now - known < ASK_EVERY_MILLISECONDS) return false;
    try {
      const isAllowed = await mayGoOn();
      known = now;
      return !isAllowed;
    } catch (error) {
      onFailure(error);
      return now - known >= PATIENCE_MILLISECONDS;
    }
  };
};
