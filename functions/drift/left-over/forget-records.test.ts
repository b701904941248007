import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, KINDS, kinds } from '../../../shared/kinds/index.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../../shared/log.ts';
import { withRecordedLaunch } from '../../../shared/providers/aws/plan/launch/recorded.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import type { Records } from '../../../shared/store/records/records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { testClock } from '../../../shared/store/test-table.ts';
import { forgetRecords } from './forget-records.ts';

const key = (name: string) => ({ namespace: 'default', name });

describe('records whose objects no longer exist', () => {
  let clock: ReturnType<typeof testClock>;
  let records: Records;
  let objects: ObjectClient;
  let user: ObjectClient;
  beforeEach(async () => {
    clock = testClock('2030-01-01T00:00:00Z');
    const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
    await ensureNamespaces(registry);
    records = createMemoryRecords(() => clock.now().getTime());
    objects = withMemory(createObjectClient(registry), records);
    user = createObjectClient(registry, 'kubectl');
    for (const name of ['stays', 'goes']) {
      await objects.ensure(kinds.awsMachine, {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: 'AWSMachine',
        metadata: key(name),
        spec: { instanceType: 't3.large' },
      } as AWSMachine);
      await objects.mutate(kinds.awsMachine, key(name), (current) =>
        withRecordedLaunch(current, { at: '2030-01-01T00:00:00Z' }),
      );
    }
    await user.delete(kinds.awsMachine, key('goes'));
  });
  const forget = () => forgetRecords({ objects, records, clock, log: silentLog, sweepMinutes: 5 }, ['default']);

  it('are deleted once they are an hour old, and no others are', async () => {
    expect(await forget()).toBe(0);
    clock.advance(2 * 3600);

    expect(await forget()).toBe(1);

    const stays = await user.get(kinds.awsMachine, key('stays'));
    expect((await records.list('default')).map(({ uid }) => uid)).toEqual([stays?.metadata.uid]);
    expect(await forget()).toBe(0);
  });

  it('are searched once an hour', async () => {
    clock.advance(2 * 3600 + 5 * 60);

    expect(await forget()).toBe(0);
    expect(await records.list('default')).toHaveLength(2);
  });
});
