import { beforeEach, expect, it } from 'vitest';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import { context } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { type ManagedCluster, makeManagedCluster } from './test-topology.ts';

const database = useTestDatabase();
const KEY = { namespace: 'default', name: 'managed' };

let managed: ManagedCluster;

const available = async () =>
  (await managed.cluster()).status?.conditions?.find(({ type }) => type === 'Available')?.message;

/** Writes a condition as another controller would. */
const say = (type: string, status: 'True' | 'False') =>
  managed.objects.mutate(kinds.cluster, KEY, (current) => ({
    ...current,
    status: {
      ...current.status,
      conditions: [
        ...(current.status?.conditions ?? []).filter((condition) => condition.type !== type),
        { type, status, reason: 'Said', message: `${type} is ${status}`, lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    } as Cluster['status'],
  }));

const report = () => managed.steps.report(managed.input, context);

beforeEach(async () => {
  managed = await makeManagedCluster(database());
  await managed.changeClass((spec) => ({ ...spec, availabilityGates: [{ conditionType: 'example.com/Open' }] }));
  await managed.becomeReady();
});

it('keeps a Cluster from being Available until the gates of its class are met', async () => {
  await say('example.com/Open', 'False');
  await report();
  expect(await available()).toContain('* example.com/Open: example.com/Open is False');

  await say('example.com/Open', 'True');
  await report();
  expect(await available()).not.toContain('example.com/Open');
});

it('uses the gates of a Cluster instead of those of its class', async () => {
  await managed.objects.mutate(kinds.cluster, KEY, (current) => ({
    ...current,
    spec: {
      ...current.spec,
      availabilityGates: [{ conditionType: 'example.com/Shut', polarity: 'Negative' as const }],
    },
  }));
  await say('example.com/Open', 'False');
  await say('example.com/Shut', 'True');
  await report();
  expect(await available()).toContain('* example.com/Shut: example.com/Shut is True');
  expect(await available()).not.toContain('example.com/Open');
});
