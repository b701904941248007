/** Instances that wait for the end of their drain when the group terminates them. */
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachine, kinds, type Machine } from '../../shared/kinds/index.ts';
import { type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
beforeEach(async () => {
  world = await startPoolWorld();
  await world.settle();
});
afterEach(() => world.close());

const WAITING = 'Terminating:Wait';
const stateOf = async (id: string): Promise<string | undefined> =>
  (await world.group())?.Instances?.find(({ InstanceId }) => InstanceId === id)?.LifecycleState;

const untilWaiting = async (id: string): Promise<void> => {
  for (let seconds = 0; seconds < 300; seconds += 1) {
    if ((await stateOf(id)) === WAITING) return;
    await world.pass(1);
  }
  throw new Error(`instance ${id} is ${await stateOf(id)}`);
};

/** Terminates an instance in EC2, and waits until the group has noticed it. */
const terminate = async (): Promise<AWSMachine> => {
  const [machine] = await world.machines();
  const id = machine?.spec.instanceID ?? '';
  await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  await untilWaiting(id);
  return machine as AWSMachine;
};

const lookTwice = async (): Promise<void> => {
  await world.look();
  await world.pass(30);
  await world.look();
};

const asMachine = ({ metadata }: AWSMachine, providerID?: string): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { namespace: metadata.namespace, name: 'm', labels: { 'cluster.x-k8s.io/cluster-name': 'red' } },
    spec: {
      clusterName: 'red',
      bootstrap: { dataSecretName: '' },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: metadata.name },
      ...(providerID ? { providerID } : {}),
    },
  }) as unknown as Machine;

describe('the wait of an instance', () => {
  it('ends if nothing is left of its Machine', async () => {
    const machine = await terminate();
    await world.objects.delete(kinds.awsMachine, machine);
    await lookTwice();
    expect(await stateOf(machine.spec.instanceID ?? '')).toBeUndefined();
  });

  it('ends if EC2 has terminated it', async () => {
    const machine = await terminate();
    await world.objects.mutate(
      kinds.awsMachine,
      machine as AWSMachine & { metadata: { namespace: string } },
      (one) => ({
        ...one,
        status: { ...one.status, instanceState: 'terminated' },
      }),
    );
    await lookTwice();
    expect(await stateOf(machine.spec.instanceID ?? '')).toBeUndefined();
  });

  it('continues while it has an AWSMachine', async () => {
    const machine = await terminate();
    await lookTwice();
    expect(await stateOf(machine.spec.instanceID ?? '')).toBe(WAITING);
  });

  it.each([
    ['by its name', undefined],
    ['by its provider id', 'other'],
  ])('continues while a Machine without an AWSMachine may be drained, which is found %s', async (_, name) => {
    const machine = await terminate();
    const { providerID } = machine.spec;
    const own = name ? { ...machine, metadata: { ...machine.metadata, name } } : machine;
    await world.objects.ensure(kinds.machine, asMachine(own, name ? providerID : undefined));
    await world.objects.delete(kinds.awsMachine, machine);
    await lookTwice();
    expect(await stateOf(machine.spec.instanceID ?? '')).toBe(WAITING);
  });
});
