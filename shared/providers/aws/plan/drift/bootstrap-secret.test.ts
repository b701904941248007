import { expect, it } from 'vitest';
import type { AWSMachine, Cluster, Machine } from '../../../../kinds/index.ts';
import { awaitedSecrets } from './bootstrap-secret.ts';
import type { PlacedMachine } from './difference.ts';

const NOW = new Date('2026-11-20T10:05:00Z');
const metadata = { namespace: 'default', name: 'a', uid: 'uid-a', creationTimestamp: '2026-11-20T10:00:00Z' };

const placed = ({
  prefix = 'aws.cluster.x-k8s.io/a',
  state = 'running',
  created = metadata.creationTimestamp,
  count = 2,
}) =>
  ({
    machine: { metadata: { ...metadata, creationTimestamp: created } } as Machine,
    infrastructure: {
      metadata,
      spec: { instanceID: 'i-a', providerID: 'aws:///z/i-a', cloudInit: { secretPrefix: prefix, secretCount: count } },
      status: { instanceState: state },
    } as unknown as AWSMachine,
    cluster: { metadata: { namespace: 'default', name: 'red' }, spec: {} } as unknown as Cluster,
  }) as PlacedMachine;

it('a running machine without a node may still have to read its secrets', () => {
  expect(awaitedSecrets(placed({}), NOW)).toEqual(['aws.cluster.x-k8s.io/a-0', 'aws.cluster.x-k8s.io/a-1']);
});

it('the number of secret names is limited, whatever number an object claims', () => {
  expect(awaitedSecrets(placed({ count: 3_000_000 }), NOW).length).toBeLessThan(1000);
});

it.each([
  ['was created just now', placed({ created: '2026-11-20T10:04:30Z' })],
  ['does not run yet', placed({ state: 'pending' })],
  ['has its data in the Parameter Store', placed({ prefix: '/cluster.x-k8s.io/a' })],
  ['has its node', { ...placed({}), machine: { metadata, status: { nodeRef: { name: 'n' } } } as unknown as Machine }],
])('a machine that %s is not checked', (_, known) => {
  expect(awaitedSecrets(known, NOW)).toEqual([]);
});
