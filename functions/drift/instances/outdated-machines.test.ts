import { beforeEach, expect, it } from 'vitest';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { type ConditionClaim, withConditions } from '../../../shared/plan/status/conditions.ts';
import { createTestFleet, NAMESPACE, type TestFleet } from '../test-fleet.ts';

let fleet: TestFleet;
const KEY = { namespace: NAMESPACE, name: 'red-1' };
const PENDING: ConditionClaim = {
  ...{ type: 'InfrastructureReady', reason: 'InstanceNotReady', message: 'the instance is pending' },
  status: 'False',
};

const leaveBehind = (change: Partial<Machine['status']> = { nodeRef: { name: 'node' } }) =>
  fleet.objects.mutate(kinds.machine, KEY, (current) => {
    const { conditions } = current.status ?? {};
    const before = withConditions(conditions, [PENDING], current.metadata.generation, new Date(0));
    return { ...current, status: { ...current.status, ...change, conditions: before } as Machine['status'] };
  });

const reported = async () => {
  const conditions = (await fleet.machine('red-1'))?.status?.conditions;
  const { status, reason } = conditions?.find(({ type }) => type === 'InfrastructureReady') ?? {};
  return [status, reason];
};

beforeEach(async () => {
  fleet = await createTestFleet();
});

it('updates a Machine with an outdated instance state, once', async () => {
  await leaveBehind();
  await fleet.run();
  expect(await reported()).toEqual(['True', 'Ready']);
  expect(fleet.touched).toEqual(['red']);
  expect(await fleet.warnings()).toEqual([]);

  await fleet.run();
  expect(fleet.touched).toEqual(['red']);
});

it('does not update a Machine whose execution still provisions it', async () => {
  await leaveBehind({});
  await fleet.run();
  expect(await reported()).toEqual(['False', 'InstanceNotReady']);
  expect(fleet.touched).toEqual([]);
});

it('does not update a Machine that refers to the infrastructure of another one', async () => {
  await leaveBehind();
  const other = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    name: 'blue-1',
    uid: 'blue',
    controller: true,
  };
  await fleet.objects.mutate(kinds.awsMachine, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, ownerReferences: [other] },
  }));
  await fleet.run();
  expect(await reported()).toEqual(['False', 'InstanceNotReady']);
});

it('does not update a Machine of a paused cluster', async () => {
  await leaveBehind();
  await fleet.objects.mutate(
    kinds.cluster,
    { namespace: NAMESPACE, name: 'red' },
    (current): Cluster => ({ ...current, spec: { ...current.spec, paused: true } }),
  );
  await fleet.run();
  expect(await reported()).toEqual(['False', 'InstanceNotReady']);
});

it('reports the current state of an instance that changes during the sweep', async () => {
  await leaveBehind();
  fleet.alter('i-red-1', { state: 'stopped' });
  await fleet.run();
  expect(await reported()).toEqual(['False', 'InstanceStopped']);
});
