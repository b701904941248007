import { afterEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { addMachine } from './machine.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const zone = { availabilityZone: 'us-east-1a' };
const DUAL = [
  { id: 'public', cidrBlock: '10.0.0.0/24', isPublic: true, isIpv6: true, ...zone },
  { id: 'private', cidrBlock: '10.0.1.0/24', isIpv6: true, ...zone },
];
const IPV4_ONLY = { id: 'old', cidrBlock: '10.0.2.0/24', ...zone };

const targetGroups = () =>
  [...world.account.elbv2().targetGroups.values()].map(({ arn, ipAddressType, targets }) => ({
    ...{ arn, ipAddressType },
    targets: [...targets.values()].map(({ instanceId }) => instanceId),
  }));

describe('a cluster whose last private subnet without IPv6 is removed', () => {
  it('keeps the IPv4 target group of its API, because its machines have no primary IPv6 address', async () => {
    world = await startWorld({ network: { vpc: { ipv6: {} }, subnets: [IPV4_ONLY, ...DUAL] } });
    expect(await create(world)).toBe(true);
    const id = await addMachine(world);
    expect(await create(world)).toBe(true);
    const before = targetGroups();
    expect(before).toEqual([expect.objectContaining({ ipAddressType: 'ipv4', targets: [id] })]);

    await world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
      ...rest,
      spec: {
        ...spec,
        network: { ...spec.network, subnets: spec.network?.subnets?.filter((one) => one.id !== 'old') },
      },
    }));
    expect(await create(world)).toBe(true);

    expect(targetGroups()).toEqual(before);
    const [listener] = (await world.awsCluster()).status?.networkStatus?.apiServerElb?.elbListeners ?? [];
    expect(listener?.targetGroup).toMatchObject({ ipType: 'ipv4' });
  });
});

const change = (subnets: readonly object[]) =>
  world.objects.mutate(kinds.awsCluster, KEY, ({ spec, ...rest }) => ({
    ...rest,
    spec: { ...spec, network: { ...spec.network, subnets: [...(spec.network?.subnets ?? []), ...subnets] as never } },
  }));

describe('a dual-stack cluster that gets a private subnet without IPv6', () => {
  it('keeps the IPv6 target group of its API, and excludes the zone of that subnet from the control plane', async () => {
    world = await startWorld({ network: { vpc: { ipv6: {} }, subnets: DUAL } });
    expect(await create(world)).toBe(true);
    const id = await addMachine(world, { hasIpv6: true });
    expect(await create(world)).toBe(true);
    const before = targetGroups();
    expect(before).toEqual([expect.objectContaining({ ipAddressType: 'ipv6', targets: [id] })]);

    await change([
      { ...IPV4_ONLY, availabilityZone: 'us-east-1b' },
      { id: 'outside', cidrBlock: '10.0.3.0/24', isPublic: true, availabilityZone: 'us-east-1b' },
    ]);
    expect(await create(world)).toBe(true);

    expect(targetGroups()).toEqual(before);
    const { status } = await world.awsCluster();
    expect(status?.networkStatus?.apiServerElb?.elbListeners?.[0]?.targetGroup).toMatchObject({ ipType: 'ipv6' });
    expect(status?.failureDomains).toEqual({
      'us-east-1a': { controlPlane: true },
      'us-east-1b': { controlPlane: false },
    });
  });
});
