/** Calls that AWS rejects with codes that have no meaning of their own here: a condition names them. */
import { afterEach, expect, it } from 'vitest';
import { type Event, kinds } from '../../shared/kinds/index.ts';
import { createInfrastructure } from './steps.ts';
import { startWorld, type World } from './world.ts';

let world: World;
afterEach(() => world.close());

const conditionOf = async (type: string) =>
  (await world.awsCluster()).status?.conditions?.find((condition) => condition.type === type);

it.each<[service: string, operation: string, code: string, condition: string]>([
  ['ec2', 'CreateVpc', 'PendingVerification', 'VpcReady'],
  ['ec2', 'CreateVpc', 'SignatureDoesNotMatch', 'VpcReady'],
  ['ec2', 'CreateNatGateway', 'NotAvailableInZone', 'NatGatewaysReady'],
  ['ec2', 'AllocateAddress', 'InsufficientAddressCapacity', 'NatGatewaysReady'],
  ['elasticloadbalancing', 'CreateListener', 'TargetGroupAssociationLimit', 'LoadBalancerReady'],
  ['elasticloadbalancing', 'CreateLoadBalancer', 'SomethingNew', 'LoadBalancerReady'],
])('%s %s: %s is in the condition of the part and in one event', async (service, operation, code, condition) => {
  world = await startWorld({});
  world.account.failNext(service, operation, { code, message: 'AWS says no.', times: 1000 });

  expect(await createInfrastructure(world)).toBe(false);

  const message = expect.stringContaining(`${code}: AWS says no.`);
  expect(await conditionOf(condition)).toMatchObject({ status: 'False', severity: 'Error', message });
  const warnings = (await world.objects.list<Event>(kinds.event)).filter(({ type }) => type === 'Warning');
  expect(warnings).toContainEqual(expect.objectContaining({ message }));
});
