import { expect } from 'vitest';
import type { Random } from '../../random.ts';
import type { OwnershipOptions } from '../garbage/contract.ts';
import type { StatusError } from '../status-error.ts';
import { createMemoryStorage } from '../storage/memory-storage.ts';
import { TEST_KINDS } from '../test-kinds.ts';
import { createRegistry } from './create-registry.ts';
import { ensureNamespaces } from './namespaces.ts';
import type { WriteEvent } from './registry.ts';

export const key = { namespace: 'default', name: 'one' };

/** Counts up: uuids and bytes are predictable and never repeat. */
const countingRandom = (): Random => {
  let count = 0;
  return {
    bytes: (length) => Uint8Array.from({ length }, () => count++ % 256),
    uuid: () => `uid-${++count}`,
  };
};

/** A registry of the test kinds with an in-memory storage and a fixed time, and the writes that it has reported. */
export const createTestRegistry = async (ownership?: OwnershipOptions) => {
  const time = { now: new Date('2026-01-02T03:04:05.678Z') };
  const events: WriteEvent[] = [];
  const storage = createMemoryStorage();
  const registry = createRegistry({
    resources: TEST_KINDS,
    storage,
    clock: { now: () => time.now, sleep: async () => {} },
    random: countingRandom(),
    onWrite: async (event) => void events.push(event),
    ...(ownership ? { ownership } : {}),
  });
  await ensureNamespaces(registry);
  events.length = 0;
  return { registry, storage, events, time };
};

/** The refusal with which a promise rejects. */
export const refusal = async (promise: Promise<unknown>): Promise<StatusError> => {
  const error = await promise.then(
    () => undefined,
    (reason: StatusError) => reason,
  );
  expect(error).toMatchObject({ name: 'StatusError' });
  return error as StatusError;
};

export const causesOf = (error: StatusError): string[] =>
  (error.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
