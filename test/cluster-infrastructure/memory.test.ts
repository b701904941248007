import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Elbv2 } from '../../shared/providers/aws/load-balancer/api.ts';
import { desiredLoadBalancing } from '../../shared/providers/aws/load-balancer/desired.ts';
import { observeLoadBalancing } from '../../shared/providers/aws/load-balancer/observe.ts';
import { soughtOf } from '../../shared/providers/aws/load-balancer/target-groups/observe.ts';
import type { Ec2Network } from '../../shared/providers/aws/network/api.ts';
import { turnOf } from '../../shared/providers/aws/network/intents.ts';
import type { ObservedNetwork } from '../../shared/providers/aws/network/model.ts';
import { observeNetwork } from '../../shared/providers/aws/network/observe.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
let asked: string[];
beforeAll(async () => {
  world = await startWorld();
  // What AWS is still creating is queried again.
  world.account.settings.natMilliseconds = 0;
  await create(world);
});
afterAll(() => world.close());

/** The port, which records each call. */
const noting = <P extends object>(port: P): P =>
  Object.fromEntries(
    Object.entries(port).map(([name, method]) => [
      name,
      (...input: unknown[]) => {
        asked.push(name);
        return (method as (...given: unknown[]) => unknown)(...input);
      },
    ]),
  ) as unknown as P;

const look = async (ec2: Ec2Network): Promise<ObservedNetwork> => {
  const { spec } = await world.awsCluster();
  return observeNetwork(ec2, { cluster: KEY, recordedVpcId: spec.network?.vpc?.id, purpose: 'creation', spec });
};

const byId = <T extends object>(things: readonly T[]): T[] =>
  things.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

/**
 * The state without parts that EC2 adds and no planner reads: the local route of a VPC, and the default of host names.
 */
const comparable = (seen: ObservedNetwork) => ({
  ...seen,
  subnets: byId(seen.subnets.map(({ hostnameType: _, ...subnet }) => subnet)),
  internetGateways: byId(seen.internetGateways),
  natGateways: byId(seen.natGateways),
  // Addresses depend on the NAT gateways, which change by themselves.
  addresses: byId(seen.addresses.map(({ isAssociated: _, ...address }) => address)),
  securityGroups: byId(seen.securityGroups.map((group) => ({ ...group, ingress: byId(group.ingress) }))),
  routeTables: byId(
    seen.routeTables.map((table) => ({
      ...table,
      routes: byId(table.routes.filter(({ target }) => target !== 'local')),
      associations: byId(table.associations),
    })),
  ),
});

/** Reads the load balancing as the step does. */
const balancing = async (elbv2: Elbv2) => {
  const awsCluster = await world.awsCluster();
  const desired = desiredLoadBalancing({ cluster: KEY, clusterUid: world.input.cluster.uid, awsCluster }, 'primary');
  if (!desired) throw new Error('the cluster has no load balancer');
  const { loadBalancer, ...seen } = await observeLoadBalancing(elbv2, KEY, soughtOf(desired));
  // It becomes active by itself.
  return { ...seen, loadBalancer: { ...loadBalancer, state: 'active' } };
};

describe('the cached result of a creation', () => {
  it('equals EC2’s description of a network', async () => {
    asked = [];
    const turn = `${turnOf((await world.awsCluster()).metadata.annotations)} `;
    const remembered = world.memories.networkCache.of(world.input.cluster.uid, turn, noting(world.ec2));
    const known = comparable(await look(remembered));
    expect(asked).toEqual([]);
    expect(known).toEqual(comparable(await look(world.ec2)));
  });

  it('equals ELBv2’s description of a load balancer', async () => {
    asked = [];
    const remembered = world.memories.balancingCache.of(world.input.cluster.uid, '', noting(world.elbv2));
    const known = await balancing(remembered);
    expect(asked).toEqual([]);
    expect(known).toEqual(await balancing(world.elbv2));
  });
});
