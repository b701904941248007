import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import { addMachine } from './machine.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

const network = { vpc: { availabilityZoneUsageLimit: 1 } };

let world: World;
afterEach(() => world.close());

const members = () =>
  [...world.account.elbv2().targetGroups.values()].map(({ targets }) =>
    [...targets.values()].map(({ instanceId }) => instanceId),
  );

const loseAll = () => {
  const { loadBalancers, listeners, targetGroups } = world.account.elbv2();
  for (const table of [listeners, targetGroups, loadBalancers]) table.clear();
};

const setPolicy = (policies: string) =>
  world.objects.mutate(kinds.cluster, KEY, (cluster) => ({
    ...cluster,
    metadata: { ...cluster.metadata, annotations: { [ON_DRIFT]: policies } },
  }));

const loadBalancerReady = async () =>
  (await world.awsCluster()).status?.conditions?.find(({ type }) => type === 'LoadBalancerReady');

describe('a deleted load balancer behind the user’s own DNS name', () => {
  const controlPlaneEndpoint = { host: 'api.red.example', port: 6443 };

  it('is recreated with all machines, even if deregistered machines are only reported', async () => {
    world = await startWorld({ network, controlPlaneEndpoint });
    expect(await create(world)).toBe(true);
    const id = await addMachine(world);
    await setPolicy('Target=Report');
    await create(world);
    const first = (await world.awsCluster()).status?.networkStatus?.apiServerElb?.dnsName;

    loseAll();
    expect(await create(world)).toBe(true);
    const { spec, status } = await world.awsCluster();
    expect(spec.controlPlaneEndpoint).toEqual(controlPlaneEndpoint);
    const second = status?.networkStatus?.apiServerElb?.dnsName;
    expect(second).not.toBe(first);
    expect(members()).toEqual([[id]]);
    const events = await world.objects.list(kinds.event, KEY.namespace);
    const led = events.filter(({ reason }) => reason === 'LeadEndpoint').map(({ message }) => message?.split(' ')[3]);
    expect(led.sort()).toEqual([`${first},`, `${second},`].sort());

    const [group] = world.account.elbv2().targetGroups.values();
    group?.targets.clear();
    await create(world);
    expect(members()).toEqual([[]]);
  });

  it('is not recreated if its deletion is only reported, and the condition reports that', async () => {
    world = await startWorld({ network, controlPlaneEndpoint });
    await create(world);
    await setPolicy('Report');
    loseAll();

    expect(await create(world)).toBe(false);
    expect((await loadBalancerReady())?.message).toBe(
      'load balancer default-red-apiserver does not exist any more; this is only reported',
    );
  });
});

it('a deleted load balancer behind a DNS name that AWS assigned is not recreated, and the condition says why', async () => {
  world = await startWorld({ network });
  await create(world);
  loseAll();
  // The state after a move.
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    status: { ...current.status, networkStatus: { ...current.status?.networkStatus, apiServerElb: undefined } },
  }));

  expect(await create(world)).toBe(false);
  expect(await loadBalancerReady()).toMatchObject({ status: 'False', reason: 'LoadBalancerFailed' });
  expect((await loadBalancerReady())?.message).toContain('which no node, kubeconfig or certificate has');
});
