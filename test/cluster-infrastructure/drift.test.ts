import {
  AuthorizeSecurityGroupIngressCommand,
  DeleteNatGatewayCommand,
  DescribeNatGatewaysCommand,
  DescribeSecurityGroupsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../shared/kinds/index.ts';
import { ON_DRIFT } from '../../shared/kinds/rules/drift-policy.ts';
import { PART_DRIFTED } from '../../shared/plan/drift/claims.ts';
import { inventory, ONE_CLUSTER } from './inventory.ts';
import { create } from './steps.ts';
import { KEY, startWorld, type World } from './world.ts';

let world: World;
let ec2: EC2Client;

beforeEach(async () => {
  world = await startWorld();
  ec2 = world.client;
  await create(world);
});
afterEach(() => world.close());

const setPolicy = (policies: string) =>
  world.objects.mutate(kinds.cluster, KEY, (cluster) => ({
    ...cluster,
    metadata: { ...cluster.metadata, annotations: { [ON_DRIFT]: policies } },
  }));

const rulesOf = async (name: string) => {
  const filters = [{ Name: 'group-name', Values: [name] }];
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({ Filters: filters }));
  return SecurityGroups[0] ?? {};
};

/** Somebody opens a port. */
const openPort = async () => {
  const { GroupId } = await rulesOf('red-node');
  const rule = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] };
  await ec2.send(new AuthorizeSecurityGroupIngressCommand({ GroupId, IpPermissions: [rule] }));
};

const isOpen = async () => (await rulesOf('red-node')).IpPermissions?.some(({ FromPort }) => FromPort === 22);

const driftOf = async (type: string) =>
  (await world.objects.get(kinds.cluster, KEY))?.status?.conditions?.find((condition) => condition.type === type);

const reasons = async () =>
  (await world.objects.list(kinds.event, KEY.namespace))
    .filter(({ type }) => type === 'Warning')
    .map(({ reason }) => reason);

describe('a rule that somebody added', () => {
  it('is taken away by the next pass, which says whose it was not', async () => {
    await openPort();
    await create(world);
    expect(await isOpen()).toBe(false);
    expect(await reasons()).toEqual(['DriftRepaired']);
    expect(await driftOf(PART_DRIFTED.network)).toBeUndefined();
  });

  it('stays where it is only reported, until nobody wants to hear of it any more', async () => {
    await setPolicy('SecurityGroupRules=Report');
    await openPort();
    await create(world);
    await create(world);
    expect(await isOpen()).toBe(true);
    expect(await reasons()).toEqual(['DriftReported']);
    expect(await driftOf(PART_DRIFTED.network)).toMatchObject({ status: 'True', reason: 'SecurityGroupRules' });

    await setPolicy('');
    await create(world);
    expect(await isOpen()).toBe(false);
    expect(await driftOf(PART_DRIFTED.network)).toMatchObject({ status: 'False' });
  });

  it('stays, and the rules that the user asks for later come all the same', async () => {
    await setPolicy('Report');
    await openPort();
    await create(world);
    await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
      ...current,
      spec: { ...current.spec, additionalTags: { team: 'blue' } },
    }));
    await create(world);
    expect((await rulesOf('red-node')).Tags).toContainEqual({ Key: 'team', Value: 'blue' });
  });
});

it('a NAT gateway that somebody deleted is made again with its routes and rules', async () => {
  const { NatGateways = [] } = await ec2.send(new DescribeNatGatewaysCommand({}));
  await ec2.send(new DeleteNatGatewayCommand({ NatGatewayId: NatGateways[0]?.NatGatewayId }));
  world.clock.advance(3600);
  await create(world);
  world.clock.advance(3600);
  await create(world);
  expect(await inventory(world)).toEqual(ONE_CLUSTER);
  expect(await reasons()).toContain('DriftRepaired');
});

describe('a listener that somebody deleted', () => {
  const listenerOf = async () => {
    const [loadBalancer] = world.account.elbv2().loadBalancers.values();
    return [...world.account.elbv2().listeners.values()].filter(
      (listener) => listener.loadBalancerArn === loadBalancer?.arn,
    );
  };

  const remove = async () => {
    const [listener] = await listenerOf();
    await world.elbv2.deleteListener(listener?.arn ?? '');
  };

  it('is made again', async () => {
    await remove();
    await create(world);
    expect(await listenerOf()).toHaveLength(1);
    expect(await reasons()).toEqual(['DriftRepaired']);
  });

  it('is only reported where the policy says so', async () => {
    await setPolicy('Listener=Report');
    await remove();
    await create(world);
    expect(await listenerOf()).toHaveLength(0);
    expect((await driftOf(PART_DRIFTED.loadBalancer))?.message).toBe(
      'Listener: there is no listener on port 6443 any more; this is only reported',
    );
  });
});
