/** Whether the refusal of one machine says anything about the capacity for others. */
import { expect, it } from 'vitest';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, kinds } from '../../shared/kinds/index.ts';
import type { CapacityRefusal } from '../../shared/providers/aws/plan/launch/candidates.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

/** The scope of the world; its ports are the same for all scopes. */
const SCOPE = {} as never;

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
  },
  { zones: 2 },
);

const refusals = (): CapacityRefusal[] => world.dependencies.launches(SCOPE).capacity.recall(world.clock.now());

/** Creates another AWSMachine for the Machine, because the spec of an existing one cannot be changed. */
const specify = async (spec: Partial<AWSMachine['spec']>): Promise<void> => {
  const { objects } = world.dependencies;
  const freed = await objects.mutate(kinds.awsMachine, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, finalizers: [] },
  }));
  await objects.delete(kinds.awsMachine, freed as AWSMachine);
  const { namespace, name, labels } = (freed as AWSMachine).metadata;
  await objects.ensure(kinds.awsMachine, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { namespace, name, labels } as AWSMachine['metadata'],
    spec: { instanceType: 't3.large', ...spec },
  });
};

/** The subnet in the first request of a launch that EC2 refuses everywhere with this code. */
const launchWith = async (code: string): Promise<string | undefined> => {
  const asked: (string | undefined)[] = [];
  const run = async (input: { NetworkInterfaces?: { SubnetId?: string }[] }) => {
    asked.push(input.NetworkInterfaces?.[0]?.SubnetId);
    throw Object.assign(new Error(`${code}.`), { name: code, $metadata: {} });
  };
  const ec2 = { ...world.dependencies.ec2(SCOPE), run };
  const { launchInstance } = makeInstanceSteps({ ...world.dependencies, ec2: () => ec2 as never });
  await expect(launchInstance(world.input, context)).rejects.toThrow(code);
  return asked[0];
};

it.each([
  {
    what: 'the price that it offers is too low',
    code: 'SpotMaxPriceTooLow',
    spec: { spotMarketOptions: { maxPrice: '0.001' } },
  },
  { what: 'its reservation is full', code: 'ReservationCapacityExceeded', spec: { capacityReservationId: 'cr-1' } },
  {
    what: 'its host is full',
    code: 'InsufficientCapacityOnHost',
    spec: { hostID: 'h-0123456789abcdef0', tenancy: 'host' as const },
  },
  { what: 'its type does not have what it asks for', code: 'Unsupported', spec: {} },
  { what: 'its placement group is full', code: 'InsufficientInstanceCapacity', spec: { placementGroupName: 'p' } },
  {
    what: 'there is no dedicated hardware',
    code: 'InsufficientInstanceCapacity',
    spec: { tenancy: 'dedicated' as const },
  },
])('a machine does not share a refusal with others if $what', async ({ code, spec }) => {
  await specify(spec);
  await launchWith(code);
  expect(refusals()).toEqual([]);
});

it('a machine shares with others that there is no capacity for its type', async () => {
  await launchWith('InsufficientInstanceCapacity');
  expect(refusals()).toHaveLength(2);
});

it('a machine with a reservation stays in its subnet even if others found no capacity there', async () => {
  const preferred = await launchWith('InsufficientInstanceCapacity');
  const [mine] = refusals().filter(({ subnetId }) => subnetId === preferred);
  world.clock.advance(3600);
  world.dependencies
    .launches(SCOPE)
    .capacity.remember({ ...mine, at: world.clock.now().toISOString() } as CapacityRefusal);
  await specify({ capacityReservationId: 'cr-1' });
  expect(await launchWith('ReservationCapacityExceeded')).toBe(preferred);
});
