import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../clock.ts';
import { KINDS, kinds } from '../kinds/index.ts';
import { createRegistry } from '../kube-api/registry/create-registry.ts';
import type { ObjectClient } from '../kube-api/storage/client.ts';
import { createMemoryStorage } from '../kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../kube-api/storage/object-client.ts';
import { systemRandom } from '../random.ts';
import type { Happening } from './event.ts';
import { recordEvent } from './record.ts';

let now: Date;
const clock: Clock = { now: () => now, sleep: async () => {} };
let objects: ObjectClient;

beforeEach(() => {
  now = new Date('2026-11-20T12:00:00Z');
  const storage = createMemoryStorage();
  objects = createObjectClient(createRegistry({ resources: KINDS, storage, clock, random: systemRandom }));
});

const happening = (changes: Partial<Happening> = {}): Happening => ({
  regarding: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { namespace: 'default', name: 'red', uid: 'u-1' },
  },
  type: 'Warning',
  reason: 'FailedCreateVPC',
  message: 'VpcLimitExceeded: no more (request r-1)',
  component: 'cluster-network',
  ...changes,
});

const events = () => objects.list(kinds.event, 'default');

describe('an event', () => {
  it('is counted up when the same thing happens again, whatever the request id', async () => {
    await recordEvent(objects, happening(), clock);
    now = new Date('2026-11-20T12:01:00Z');
    await recordEvent(objects, happening({ message: 'VpcLimitExceeded: no more (request r-2)' }), clock);

    expect(await events()).toEqual([
      expect.objectContaining({
        count: 2,
        firstTimestamp: '2026-11-20T12:00:00Z',
        lastTimestamp: '2026-11-20T12:01:00Z',
        message: 'VpcLimitExceeded: no more (request r-2)',
        involvedObject: expect.objectContaining({ kind: 'AWSCluster', name: 'red', uid: 'u-1' }),
      }),
    ]);
  });

  it('is counted up when a success is repeated', async () => {
    await recordEvent(objects, happening({ type: 'Normal' }), clock);
    await recordEvent(objects, happening({ type: 'Normal' }), clock);
    expect((await events()).map(({ count }) => count)).toEqual([2]);
  });

  it('is a separate event for another kind, reason or message', async () => {
    const cluster = { ...happening().regarding, kind: 'Cluster' };
    await recordEvent(objects, happening(), clock);
    await recordEvent(objects, happening({ regarding: cluster }), clock);
    await recordEvent(objects, happening({ reason: 'FailedCreateSubnet' }), clock);
    await recordEvent(objects, happening({ message: 'something else' }), clock);

    expect(await events()).toHaveLength(4);
  });

  it('is truncated if its name or its message is too long', async () => {
    const regarding = { ...happening().regarding, metadata: { namespace: 'default', name: 'x'.repeat(253), uid: 'u' } };

    await recordEvent(objects, happening({ regarding, message: 'm'.repeat(2000) }), clock);

    const [event] = await events();
    expect(event?.metadata.name).toHaveLength(253);
    expect(event?.message).toHaveLength(1024);
  });
});
