import { expect, it } from 'vitest';
import { ExpiredError } from '../../shared/errors.ts';
import { type AWSCluster, KINDS, kinds } from '../../shared/kinds/index.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../shared/kube-api/storage/storage.ts';
import { silentLog } from '../../shared/log.ts';
import { recordedNames } from '../../shared/providers/aws/plan/drift/api-call.ts';
import { systemRandom } from '../../shared/random.ts';
import { testClock } from '../../shared/store/test-table.ts';
import { createFindOwners } from './find-owners.ts';

const [FIRST, SECOND, OTHER] = ['vpc-0000000000000000a', 'vpc-0000000000000000b', 'vpc-0000000000000000c'];

const world = async () => {
  const clock = testClock('2026-11-20T12:00:00Z');
  const memory = createMemoryStorage();
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: memory, clock, random: systemRandom }),
  );
  const calls: string[] = [];
  let isExpired = false;
  const storage: Pick<Storage, 'list' | 'changes'> = {
    list: (resource, options) => {
      calls.push('list');
      return memory.list(resource, options);
    },
    changes: (resource, options) => {
      const feed = memory.changes(resource, options);
      const poll = async () => {
        calls.push('poll');
        if (isExpired) throw new ExpiredError('too old');
        return feed.poll();
      };
      return { poll, isBehind: false, resourceVersion: '' };
    },
  };
  const make = (name: string, id: string, more: object = {}) =>
    objects.ensure(kinds.awsCluster, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'AWSCluster',
      metadata: { namespace: 'default', name },
      spec: { region: 'us-east-1', network: { vpc: { id }, ...more } },
    } as AWSCluster);
  const find = createFindOwners({ storage, log: silentLog });
  const namesIn = (object: object) => recordedNames(object as AWSCluster);
  const owners = async (...resources: (string | undefined)[]) => {
    calls.length = 0;
    const named = resources.filter((one) => one !== undefined);
    return (await find(kinds.awsCluster, { resources: named, namesIn })).map(({ name }) => name).sort();
  };
  const expire = (value: boolean) => {
    isExpired = value;
  };
  return { objects, calls, make, owners, expire };
};

it('lists once, and then only asks for changes', async () => {
  const w = await world();
  await w.make('red', FIRST ?? '');
  expect([await w.owners(FIRST), w.calls]).toEqual([['red'], ['list']]);
  expect([await w.owners(OTHER), [...w.calls]]).toEqual([[], ['poll']]);
  expect([await w.owners(OTHER, FIRST), [...w.calls]]).toEqual([['red'], ['poll']]);
});

it('follows new, changed and deleted objects', async () => {
  const w = await world();
  expect(await w.owners(FIRST)).toEqual([]);
  await w.make('red', FIRST ?? '');
  await w.make('blue', FIRST ?? '');
  expect(await w.owners(FIRST)).toEqual(['blue', 'red']);
  await w.objects.mutate(kinds.awsCluster, { namespace: 'default', name: 'red' }, (current) => ({
    ...current,
    status: { ...current.status, networkStatus: { natGatewaysIPs: [SECOND ?? ''] } },
  }));
  await w.objects.delete(kinds.awsCluster, { namespace: 'default', name: 'blue' });
  expect([await w.owners(FIRST), await w.owners(SECOND)]).toEqual([['red'], ['red']]);
});

it('lists again if the past is gone', async () => {
  const w = await world();
  await w.owners(FIRST);
  await w.make('red', FIRST ?? '');
  w.expire(true);
  expect([await w.owners(FIRST), [...w.calls]]).toEqual([['red'], ['poll', 'list']]);
});

it('does not index an object with too many names, and returns it always', async () => {
  const w = await world();
  const subnets = Array.from({ length: 1_100 }, (_, at) => ({ id: `subnet-${String(at).padStart(17, '0')}` }));
  await w.make('large', FIRST ?? '', { subnets });
  expect(await w.owners(OTHER)).toEqual(['large']);
});
