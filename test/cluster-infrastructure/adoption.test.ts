import { CreateTagsCommand, DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import { CreateLoadBalancerCommand, DescribeLoadBalancersCommand } from '@aws-sdk/client-elastic-load-balancing';
import { DescribeTargetGroupsCommand } from '@aws-sdk/client-elastic-load-balancing-v2';
import { afterEach, describe, expect, it } from 'vitest';
import { observeAccount } from '../../infra/cli/adopt/observe.ts';
import type { Observed } from '../../infra/cli/adopt/observed.ts';
import { planAdoption } from '../../infra/cli/adopt/plan.ts';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import type { VpcSpec } from '../../shared/kinds/schema/aws-network.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { layOutSubnets } from '../../shared/providers/aws/network/subnets/layout.ts';
import { buildTags, toTagList } from '../../shared/providers/aws/tags.ts';
import { inventory } from './inventory.ts';
import { addMachine } from './machine.ts';
import { create } from './steps.ts';
import { makeUserNetwork, networkSpec, type UserNetwork } from './user-network.ts';
import { createCluster, KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

type Spec = AWSCluster['spec'];

/** A cluster with one machine, next to a user's network or in it. */
const start = async (spec: Partial<Spec>, isBrought: boolean): Promise<UserNetwork> => {
  world = await startWorld({ network: { vpc: { availabilityZoneUsageLimit: 2 } }, ...spec });
  const user = await makeUserNetwork(world);
  const network = networkSpec(user);
  if (isBrought)
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      spec: { ...current.spec, network: { cni: current.spec.network?.cni, ...network } } as Spec,
    }));
  expect(await create(world)).toBe(true);
  const id = await addMachine(world);
  const tags = toTagList(buildTags({ cluster: KEY, name: 'm', role: 'control-plane' }));
  await world.clients.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: tags }));
  expect(await create(world)).toBe(true);
  return user;
};

const observe = async (namespace?: string): Promise<Observed> => {
  const { ec2, elb: classicElb, elbv2: elb } = world.clients;
  const wanted = { name: KEY.name, region: 'us-east-1', ...(namespace ? { namespace } : {}) };
  const account = await observeAccount({ ec2, elb, classicElb }, wanted);
  const { host = '', port = 0 } = (await world.awsCluster()).spec.controlPlaneEndpoint ?? {};
  return { ...account, nodes: [], pairs: {}, endpoint: { host, port } };
};

/** The protocols with which load balancers of either generation check the API servers. */
const healthChecks = async (): Promise<(string | undefined)[]> => {
  const { TargetGroups = [] } = await world.clients.elbv2.send(new DescribeTargetGroupsCommand({}));
  const { LoadBalancerDescriptions = [] } = await world.clients.elb.send(new DescribeLoadBalancersCommand({}));
  return [
    ...TargetGroups.map(({ HealthCheckProtocol }) => HealthCheckProtocol),
    ...LoadBalancerDescriptions.map(({ HealthCheck }) => HealthCheck?.Target),
  ];
};

/** A new table that contains only the AWSCluster as an adoption writes it. */
const adopted = async (seen: Observed, given: readonly KubeObject[] = []): Promise<World> => {
  const derived = planAdoption(seen, given).objects.find(({ object }) => object.kind === 'AWSCluster')?.object;
  const fresh = await startWorld((derived as AWSCluster).spec);
  const input = await createCluster(fresh.objects, (derived as AWSCluster).spec);
  await fresh.close();
  const { objects, stored, records, tenant, awsCluster } = fresh;
  return { ...world, objects, stored, records, tenant, awsCluster, input };
};

describe('the adopted record of a network and its load balancers', () => {
  it.each([
    {
      what: 'its own, with two load balancers',
      isBrought: false,
      spec: { secondaryControlPlaneLoadBalancer: { name: 'red-inside' } },
      check: 'HTTPS',
    },
    {
      what: "a user's own, behind a load balancer with a name",
      isBrought: true,
      spec: { controlPlaneLoadBalancer: { name: 'api', healthCheckProtocol: 'TCP' } },
      check: 'TCP',
    },
    {
      what: "a user's own, behind a classic one",
      isBrought: true,
      spec: {
        controlPlaneLoadBalancer: { loadBalancerType: 'classic', scheme: 'internal', healthCheckProtocol: 'HTTPS' },
      },
      check: 'HTTPS:6443/readyz',
    },
  ] as const)('equals the existing resources: $what', async ({ isBrought, spec, check }) => {
    await start(spec, isBrought);
    const before = await inventory(world);
    const checks = await healthChecks();
    expect(checks).toContain(check);
    const { spec: original } = await world.awsCluster();

    const again = await adopted(await observe());
    expect(await create(again)).toBe(true);

    expect(await inventory(world)).toEqual(before);
    expect(await healthChecks()).toEqual(checks);
    const { spec: found } = await again.awsCluster();
    expect(found.network?.vpc?.id).toBe(original.network?.vpc?.id);
    expect(found.controlPlaneEndpoint).toEqual(original.controlPlaneEndpoint);
  });

  it.each<{ what: string; zones: string[]; vpc: VpcSpec }>([
    { what: 'random zones, not in order', zones: ['us-east-1f', 'us-east-1b', 'us-east-1d'], vpc: {} },
    { what: 'a single random zone', zones: ['us-east-1d'], vpc: { availabilityZoneUsageLimit: 1 } },
    { what: 'large public subnets', zones: ['us-east-1c', 'us-east-1a'], vpc: { subnetSchema: 'PreferPublic' } },
    { what: 'IPv6', zones: ['us-east-1d', 'us-east-1b'], vpc: { ipv6: {} } },
  ])('keeps subnets that a manifest does not name: $what', async ({ zones, vpc }) => {
    await start({ network: { vpc, subnets: layOutSubnets('red', vpc, zones) } }, false);
    const before = await inventory(world);

    const network = { vpc: { ...vpc, availabilityZoneSelection: 'Random' } };
    const manifest = { ...(await world.awsCluster()), spec: { region: 'us-east-1', network } };
    const again = await adopted(await observe(), [manifest as KubeObject]);
    expect(await create(again)).toBe(true);
    expect(await inventory(world)).toEqual(before);
  });

  it('contains the subnets of the manifest, if it names any', async () => {
    await start({}, false);
    const { spec, ...rest } = await world.awsCluster();
    const [first] = spec.network?.subnets ?? [];
    const manifest = { ...rest, spec: { ...spec, network: { ...spec.network, subnets: [first] } } } as KubeObject;
    const { objects } = planAdoption(await observe(), [manifest]);
    const written = objects.find(({ object }) => object.kind === 'AWSCluster')?.object as AWSCluster;
    expect(written.spec.network?.subnets).toEqual([first]);
  });

  it('adds no subnets of a user’s VPC to a manifest', async () => {
    await start({}, true);
    const { spec, ...rest } = await world.awsCluster();
    const network = { vpc: { id: spec.network?.vpc?.id } };
    const manifest = { ...rest, spec: { ...spec, network } } as KubeObject;
    const { objects } = planAdoption(await observe(), [manifest]);
    const written = objects.find(({ object }) => object.kind === 'AWSCluster')?.object as AWSCluster;
    expect(written.spec.network?.subnets).toBeUndefined();
  });

  it('contains no load balancer of a Service', async () => {
    await start({}, false);
    const { balancers } = await observe();
    const { Subnets: [subnet] = [] } = await world.clients.ec2.send(new DescribeSubnetsCommand({}));
    const Tags = toTagList(buildTags({ cluster: KEY, role: 'service' }));
    const Listeners = [{ Protocol: 'TCP', LoadBalancerPort: 80, InstancePort: 30_080 }];
    const input = { LoadBalancerName: 'a1', Listeners, Subnets: [subnet?.SubnetId ?? ''], Tags };
    await world.clients.elb.send(new CreateLoadBalancerCommand(input));

    expect((await observe()).balancers).toEqual(balancers);
  });

  it('is not written if two VPCs have the cluster’s tags', async () => {
    const user = await start({}, false);
    const tags = toTagList(buildTags({ cluster: KEY, role: 'common' }));
    await world.clients.ec2.send(new CreateTagsCommand({ Resources: [user.vpcId], Tags: tags }));
    await expect(observe()).rejects.toThrow(/both have the tag/);
  });

  it('omits resources that are tagged for a cluster of the same name in another namespace', async () => {
    const user = await start({}, false);
    const Tags = toTagList(buildTags({ cluster: { ...KEY, namespace: 'another' }, role: 'common' }));
    await world.clients.ec2.send(new CreateTagsCommand({ Resources: [user.vpcId], Tags }));
    await expect(observe()).rejects.toThrow(/choose with --namespace/);
    const seen = await observe(KEY.namespace);
    expect(seen.vpc?.id).toBe((await world.awsCluster()).spec.network?.vpc?.id);
    expect(seen.namespace).toBe(KEY.namespace);
  });
});
