import {
  AddTagsCommand,
  ConfigureHealthCheckCommand,
  CreateLoadBalancerListenersCommand,
  DeleteLoadBalancerListenersCommand,
  DeregisterInstancesFromLoadBalancerCommand,
  ModifyLoadBalancerAttributesCommand,
  RemoveTagsCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ClassicLoadBalancer } from '../../infra/local/engines/elb/state.ts';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { inventory, NOTHING, ONE_ZONE } from './inventory.ts';
import { addMachine } from './machine.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

const CLASSIC = { loadBalancerType: 'classic', healthCheckProtocol: 'HTTPS', scheme: 'internal' } as const;
const network = { vpc: { availabilityZoneUsageLimit: 1 } };

let world: World;
beforeEach(async () => {
  world = await startWorld({ network, controlPlaneLoadBalancer: CLASSIC });
  expect(await create(world)).toBe(true);
});
afterEach(() => world.close());

const balancer = (): ClassicLoadBalancer => {
  const found = world.account.elb().loadBalancers.get('red-apiserver');
  if (!found) throw new Error('there is no classic load balancer');
  return found;
};
const ports = () =>
  [...balancer().listeners.values()].map(({ LoadBalancerPort, InstancePort }) => [LoadBalancerPort, InstancePort]);

const CHECK = { Target: 'HTTPS:6443/readyz', Interval: 5, Timeout: 4, HealthyThreshold: 2, UnhealthyThreshold: 6 };

it('a classic load balancer is created with its health check and attributes, recorded as upstream records it, and deleted with the cluster', async () => {
  const version = (await world.awsCluster()).metadata.resourceVersion;
  await create(world);

  const { spec, status, metadata } = await world.awsCluster();
  expect(metadata.resourceVersion).toBe(version);
  expect(balancer()).toMatchObject({
    scheme: 'internal',
    healthCheck: CHECK,
    attributes: { crossZone: false, idleTimeout: 600 },
  });
  expect(ports()).toEqual([[6443, 6443]]);
  expect(spec.controlPlaneEndpoint).toEqual({ host: balancer().dnsName, port: 6443 });
  expect(status?.networkStatus?.apiServerElb).toMatchObject({
    loadBalancerType: 'classic',
    listeners: [{ protocol: 'TCP', port: 6443, instanceProtocol: 'TCP', instancePort: 6443 }],
    healthChecks: { target: 'HTTPS:6443/readyz', interval: 5_000_000_000, unhealthyThreshold: 6 },
    attributes: { idleTimeout: 600_000_000_000, crossZoneLoadBalancing: false },
  });
  expect(await inventory(world)).toEqual({ ...ONE_ZONE, targetGroups: 0 });
  await askForDeletion(world);
  await remove(world);
  expect(await inventory(world)).toEqual(NOTHING);
});

it('a classic load balancer follows its spec, and is repaired after outside changes', async () => {
  await world.objects.mutate(kinds.awsCluster, KEY, (current): AWSCluster => {
    const changes = { healthCheckProtocol: 'SSL', crossZoneLoadBalancing: true } as const;
    const controlPlaneLoadBalancer = { ...current.spec.controlPlaneLoadBalancer, ...changes };
    return { ...current, spec: { ...current.spec, additionalTags: { team: 'a' }, controlPlaneLoadBalancer } };
  });
  await create(world);

  expect(balancer().healthCheck).toEqual({ ...CHECK, Target: 'SSL:6443' });
  expect(balancer().attributes.crossZone).toBe(true);
  expect(balancer().tags.get('team')).toBe('a');
  await expectRepairs();
});

/** Changes are repaired, and additions stay. */
const expectRepairs = async () => {
  const before = balancer().healthCheck;
  const id = await addMachine(world);
  await create(world);
  expect([...balancer().instances]).toEqual([id]);
  const { elb } = world.clients;
  const LoadBalancerName = 'red-apiserver';
  const names = { LoadBalancerNames: [LoadBalancerName] };
  const listener = { Protocol: 'TCP', LoadBalancerPort: 6443, InstancePort: 22 };
  await elb.send(new DeleteLoadBalancerListenersCommand({ LoadBalancerName, LoadBalancerPorts: [6443] }));
  await elb.send(
    new CreateLoadBalancerListenersCommand({
      LoadBalancerName,
      Listeners: [listener, { Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 80 }],
    }),
  );
  await elb.send(new ConfigureHealthCheckCommand({ LoadBalancerName, HealthCheck: { ...CHECK, Timeout: 3 } }));
  await elb.send(new DeregisterInstancesFromLoadBalancerCommand({ LoadBalancerName, Instances: [{ InstanceId: id }] }));
  const LoadBalancerAttributes = { ConnectionSettings: { IdleTimeout: 60 } };
  await elb.send(new ModifyLoadBalancerAttributesCommand({ LoadBalancerName, LoadBalancerAttributes }));
  await elb.send(new AddTagsCommand({ ...names, Tags: [{ Key: 'cost', Value: '1' }] }));
  await elb.send(new RemoveTagsCommand({ ...names, Tags: [{ Key: 'Name' }] }));
  await create(world);

  expect(ports().sort()).toEqual([
    [6443, 6443],
    [80, 80],
  ]);
  expect(balancer().healthCheck).toEqual(before);
  expect([...balancer().instances]).toEqual([id]);
  expect(balancer().attributes.idleTimeout).toBe(600);
  expect([balancer().tags.get('cost'), balancer().tags.get('Name')]).toEqual(['1', 'red-apiserver']);
  const events = await world.objects.list(kinds.event, KEY.namespace);
  expect(events.find(({ reason }) => reason === 'DriftRepaired')?.message).toContain(
    'the listener on port 6443 has another target group',
  );
};
