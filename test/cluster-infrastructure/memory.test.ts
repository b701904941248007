import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observeNetwork } from '../../functions/cluster/network/observe.ts';
import type { Ec2Network } from '../../shared/aws/ec2-network.ts';
import { turnOf } from '../../shared/plan/network/intents.ts';
import type { ObservedNetwork } from '../../shared/plan/network/model.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
let asked: string[];
beforeAll(async () => {
  world = await startWorld();
  await create(world);
});
afterAll(() => world.close());

/** The port, which notes each call. */
const noting = (ec2: Ec2Network): Ec2Network =>
  Object.fromEntries(
    Object.entries(ec2).map(([name, method]) => [
      name,
      (...input: unknown[]) => {
        asked.push(name);
        return (method as (...given: unknown[]) => unknown)(...input);
      },
    ]),
  ) as unknown as Ec2Network;

const look = async (ec2: Ec2Network): Promise<ObservedNetwork> => {
  const { spec } = await world.awsCluster();
  return observeNetwork(ec2, { cluster: KEY, recordedVpcId: spec.network?.vpc?.id, purpose: 'creation', spec });
};

const byId = <T extends object>(things: readonly T[]): T[] =>
  things.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1));

/** Less what EC2 adds and no planner reads of what we made: the way within a VPC, and the default of host names. */
const comparable = (seen: ObservedNetwork) => ({
  ...seen,
  subnets: byId(seen.subnets.map(({ hostnameType: _, ...subnet }) => subnet)),
  internetGateways: byId(seen.internetGateways),
  natGateways: byId(seen.natGateways),
  // What has an address follows from the NAT gateways, which change by themselves.
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

describe('what is known of a network by having made it', () => {
  it('is what EC2 shows of it', async () => {
    asked = [];
    const turn = `${turnOf((await world.awsCluster()).metadata.annotations)} `;
    const remembered = world.memories.networkMemory.of(world.input.cluster.uid, turn, noting(world.ec2));
    const known = comparable(await look(remembered));
    expect(asked).toEqual([]);
    expect(known).toEqual(comparable(await look(world.ec2)));
  });
});
