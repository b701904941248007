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
import { createFindOwners, type IndexLimits } from './find-owners.ts';

const [FIRST, SECOND, OTHER] = ['vpc-0000000000000000a', 'vpc-0000000000000000b', 'vpc-0000000000000000c'];

const world = async (limits?: IndexLimits) => {
  const clock = testClock('2026-11-20T12:00:00Z');
  const memory = createMemoryStorage();
  const objects = createObjectClient(
    createRegistry({ resources: KINDS, storage: memory, clock, random: systemRandom }),
  );
  const calls: string[] = [];
  const pages: number[] = [];
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
  let isExpired = false;
  const storage: Pick<Storage, 'list' | 'changes'> = {
    list: async (resource, options) => {
      calls.push('list');
      const page = await memory.list(resource, options);
      pages.push(page.items.length);
      return page;
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
  const find = createFindOwners({ storage, log, ...(limits ? { limits } : {}) });
  const namesIn = (object: object) => recordedNames(object as AWSCluster);
  const owners = async (...resources: (string | undefined)[]) => {
    calls.length = 0;
    const named = resources.filter((one) => one !== undefined);
    return (await find(kinds.awsCluster, { resources: named, namesIn })).map(({ name }) => name).sort();
  };
  const expire = (value: boolean) => {
    isExpired = value;
  };
  return { objects, calls, pages, warnings, make, owners, expire };
};

it('lists once, and then only polls for changes', async () => {
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

it('lists again if the changes since the last call are no longer available', async () => {
  const w = await world();
  await w.owners(FIRST);
  await w.make('red', FIRST ?? '');
  w.expire(true);
  expect([await w.owners(FIRST), [...w.calls]]).toEqual([['red'], ['poll', 'list']]);
});

it('leaves an object with too many resource ids to the sweep', async () => {
  const w = await world();
  const subnets = Array.from({ length: 1_100 }, (_, at) => ({ id: `subnet-${String(at).padStart(17, '0')}` }));
  await w.make('large', FIRST ?? '', { subnets });
  await w.make('small', FIRST ?? '');
  expect(await w.owners(OTHER)).toEqual([]);
  expect(await w.owners(FIRST)).toEqual(['small']);
});

it('limits the number of resource ids per namespace', async () => {
  const w = await world({ object: 1_000, namespace: 40 });
  const red = await w.make('a-red', FIRST ?? '');
  const names = recordedNames(red.object as AWSCluster).length;
  const all = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u'];
  for (const name of all) await w.make(name, SECOND ?? '');
  const fitting = Math.floor(40 / (names + 1));
  expect(fitting).toBeLessThan(all.length);
  expect([...(await w.owners(FIRST, SECOND))]).toHaveLength(fitting);
  expect(w.warnings).toHaveLength(1);

  await w.objects.delete(kinds.awsCluster, { namespace: 'default', name: 'a-red' });
  expect(await w.owners(FIRST)).toEqual([]);
  await w.make('new', OTHER ?? '');
  expect(await w.owners(OTHER)).toEqual(['new']);
});

it('reads the objects page by page', async () => {
  const w = await world();
  for (let at = 0; at < 30; at += 1) await w.make(`c-${String(at).padStart(2, '0')}`, FIRST ?? '');
  expect(await w.owners(FIRST)).toHaveLength(30);
  expect(w.pages).toEqual([25, 5]);
});
