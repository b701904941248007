import { StatusError } from '../status-error.ts';
import type { ListResult } from '../storage/storage.ts';
import { type Call, namespaceOption } from './call.ts';
import type { WantedVersion } from './list-options.ts';

/** The same time that upstream waits for a version that has not been reached yet. */
const PATIENCE_MILLISECONDS = 3_000;
const LOOK_MILLISECONDS = 100;

/**
 * A list at the requested version. Every list shows the newest state, so at least the requested version is available
 * unless it is in the future: then the list waits, and only the version is read. Past states are not kept: an older
 * version is "expired".
 */
export const listAtVersion = async (
  call: Call,
  wanted: WantedVersion | undefined,
  read: () => Promise<ListResult>,
): Promise<ListResult> => {
  if (wanted) await waitForVersion(call, wanted);
  const found = await read();
  if (wanted?.exact && isNewer(found, wanted)) throw tooOld();
  return found;
};

const waitForVersion = async (call: Call, { version }: WantedVersion): Promise<void> => {
  const { clock, request, registry, resource } = call;
  const end = clock.now().getTime() + PATIENCE_MILLISECONDS;
  for (;;) {
    const current = await registry.listVersion(resource, namespaceOption(call));
    if (BigInt(current) >= BigInt(version)) return;
    if (clock.now().getTime() >= end) throw tooLarge(version, current);
    await clock.sleep(LOOK_MILLISECONDS, request.signal);
  }
};

/** A list may contain changes that are newer than the version from which it is to be watched. */
const isNewer = ({ resourceVersion, items }: ListResult, { version }: WantedVersion): boolean =>
  resourceVersion !== version ||
  items.some(({ metadata }) => BigInt(metadata.resourceVersion ?? '0') > BigInt(version));

const tooOld = (): StatusError =>
  new StatusError(410, 'Expired', 'The resourceVersion for the provided list is too old.');

const tooLarge = (wanted: string, current: string): StatusError =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
