import type { Clock } from '../../clock.ts';

/** How often the permission of an open watch is checked. */
const ASK_EVERY_MILLISECONDS = 10_000;

/**
 * The same answer, which ends as soon as its reader loses the permission. The permission is checked before data is
 * passed on, and a watch writes at least its keep-alives, so a revoked right also ends a quiet watch.
 */
export const revocable = (response: Response, clock: Clock, mayGoOn: () => Promise<boolean>): Response => {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  let asked = clock.now().getTime();
  const isRevoked = async (): Promise<boolean> => {
    const now = clock.now().getTime();
    if (now - asked < ASK_EVERY_MILLISECONDS) return false;
    asked = now;
    return !(await mayGoOn());
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { value, done } = await reader.read();
    if (!done && !(await isRevoked())) return controller.enqueue(value);
    controller.close();
    await reader.cancel();
  };
  // Nothing is read ahead: what the inner stream has ready is enough.
  const body = new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
  return new Response(body, response);
};
