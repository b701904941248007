import { expect, it } from 'vitest';
import { type AWSMachinePool, kinds } from '../../shared/kinds/index.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { withGroupMemory } from '../../shared/providers/aws/machine-pool/memory.ts';
import { makeAccount, NAMESPACE, type TestAccount } from './test-account.ts';

const groupEvent = (group: string, detailType = 'EC2 Instance-terminate Lifecycle Action') => ({
  version: '0',
  source: 'aws.autoscaling',
  'detail-type': detailType,
  region: 'us-east-1',
  detail: { AutoScalingGroupName: group, EC2InstanceId: 'i-0a', LifecycleHookName: 'windlass-drain' },
});

/** `group`: the name of an adopted group. */
const addPool = async (
  { objects }: TestAccount,
  name: string,
  group?: string,
  { namespace = NAMESPACE, size = 0 } = {},
): Promise<void> => {
  const key = { namespace, name };
  await objects.ensure(kinds.awsMachinePool, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachinePool',
    metadata: {
      ...key,
      labels: { 'cluster.x-k8s.io/cluster-name': 'red' },
      ...(size > 0 ? { annotations: { 'example.dev/text': 'x'.repeat(size) } } : {}),
    },
    spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: { instanceType: 't3.large' } },
  } as AWSMachinePool);
  if (group) await objects.mutate(kinds.awsMachinePool, key, (pool) => withGroupMemory(pool, { name: group }));
};

it('requests a pass over the cluster of a pool whose group has changed', async () => {
  const account = await makeAccount();
  await addPool(account, 'workers');
  await addPool(account, 'others');
  expect(await account.handle(groupEvent('default.workers'))).toEqual({ instances: 0, known: 1, changed: 1 });
  expect(account.touched).toEqual(['red']);
});

it.each(['workers-mp-0', 'team.workers'])('finds the pool of an adopted group: %s', async (group) => {
  const account = await makeAccount();
  await addPool(account, 'workers', group);
  await addPool(account, 'others');
  expect(await account.handle(groupEvent(group))).toMatchObject({ known: 1 });
  expect(account.touched).toEqual(['red']);
});

it.each(['web', 'default.web', 'workers'])('ignores the group %s, which does not belong to a pool', async (group) => {
  const account = await makeAccount();
  await addPool(account, 'workers');
  expect(await account.handle(groupEvent(group))).toMatchObject({ known: 0 });
  expect(account.touched).toEqual([]);
});

/** The requests that one event sends to the store. */
const requestsOf = async (account: TestAccount, group: string): Promise<string[]> => {
  const requests: string[] = [];
  const { objects } = account;
  const counted = <F>(verb: 'get' | 'list', call: F): F =>
    ((kind: ResourceDefinition, ...how: never[]) => {
      requests.push(`${verb} ${kind.plural}`);
      return (call as (...all: unknown[]) => unknown)(kind, ...how);
    }) as F;
  const counting = { ...objects, get: counted('get', objects.get), list: counted('list', objects.list) };
  await account.handle(groupEvent(group), { objects: counting });
  return requests;
};

it.each([
  { group: 'web', requests: [], because: 'the index has no such group' },
  { group: 'awseb-e-1.stack-AWSEBAutoScalingGroup-2', requests: [], because: 'it cannot be one of Windlass' },
  { group: 'default.web', requests: ['get awsmachinepools'], because: 'it may be one of Windlass' },
])('lists no pools for the foreign group $group: $because', async ({ group, requests }) => {
  const account = await makeAccount();
  await addPool(account, 'workers');
  await addPool(account, 'taken', 'taken');
  expect(await requestsOf(account, group)).toEqual(requests);
});

it('leaves the pools of a namespace that needs too much memory to the sweep, and finds all others', async () => {
  const account = await makeAccount();
  for (let index = 0; index < 80; index += 1)
    await addPool(account, `pool-${index}`, undefined, { namespace: 'large', size: 240_000 });
  await addPool(account, 'theirs', 'theirs-0', { namespace: 'large' });
  await addPool(account, 'workers', 'workers-mp-0');
  expect(await account.handle(groupEvent('theirs-0'))).toMatchObject({ known: 0 });
  expect(await account.handle(groupEvent('workers-mp-0'))).toMatchObject({ known: 1 });
});
