/** The editor of a namespace sets another tenant's instance as the instance of a machine. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { createCapacityMemory } from '../../functions/providers/aws/instance/capacity-memory.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { type AWSMachine, type Event, kinds } from '../../shared/kinds/index.ts';
import { createEc2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { fakeBootstrapObjects } from '../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { buildTags, type Tags } from '../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../shared/random.ts';
import type { MachineInput } from '../../shared/work/payloads.ts';
import { type Installation, startInstallation } from './installation.ts';
import { awsClusterOf, awsMachineOf, clusterOf, machineInput, machineOf } from './objects.ts';

let world: Installation;
beforeEach(async () => {
  world = await startInstallation();
});
afterEach(() => world.close());

const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  ReturnType<typeof makeInstanceSteps>['launchInstance']
>[1];

const stepsOf = ({ objects, clock, clients }: Installation) => {
  const bootstrapSecrets = { create: async () => {}, delete: async () => 'gone' as const };
  const launches = {
    imageParameters: { imageId: async () => '' },
    capacity: createCapacityMemory(),
    waits: { end: async () => {} },
  };
  return makeInstanceSteps({
    ...{ objects, clock, random: systemRandom, touch: async () => {}, scopeOf: controllerScopeOf },
    work: { extendMachine: async () => true, recordRemoval: async () => true } as never,
    ec2: () => createEc2Instances(clients.ec2, clients.ec2),
    stores: () => ({ bootstrapSecrets, bootstrapObjects: fakeBootstrapObjects() }),
    launches: () => launches,
    instanceProfiles: DEFAULT_INSTANCE_PROFILES,
  });
};

/** The tags that the installation sets on the instance of a machine. */
const tagsOf = (namespace: string, cluster: string, machine: string, uid: string): Tags =>
  buildTags({
    cluster: { namespace, name: cluster },
    name: machine,
    role: 'node',
    extra: { MachineName: `${namespace}/${machine}`, 'windlass.dev/machine-uid': uid },
    cloudProvider: 'owned',
  });

const withoutOurs = (tags: Tags): Tags =>
  Object.fromEntries(Object.entries(tags).filter(([key]) => !key.startsWith('windlass.dev/')));

/** A machine of the editor with the id of an instance. The editor chooses its cluster and its names. */
const claim = async (
  instanceID: string,
  { cluster = 'mine', machine = 'm', spec = {} }: { cluster?: string; machine?: string; spec?: object } = {},
): Promise<MachineInput> => {
  const { evil } = world;
  const uid = await world.plant(clusterOf(evil, cluster));
  await world.plant(awsClusterOf(evil, cluster));
  const providerID = `aws:///us-east-1a/${instanceID}`;
  await world.plant(awsMachineOf(evil, machine, cluster, { instanceID, providerID, ...spec }));
  const machineUid = await world.plant(machineOf(evil, machine, cluster));
  return machineInput(evil, machine, machineUid, { name: cluster, uid });
};

const stateOf = async (id: string): Promise<string | undefined> =>
  (await world.instances()).find(({ InstanceId }) => InstanceId === id)?.State?.Name;

const deleteMachine = async (input: MachineInput) => {
  await world.remove(machineOf(world.evil, input.machine.name, input.machine.clusterName));
  return stepsOf(world).terminateInstance(input, context);
};

const eventsOf = async (): Promise<(string | undefined)[]> =>
  (await world.objects.list<Event>(kinds.event, world.evil)).map(({ message }) => message);

describe('the instance of another tenant', () => {
  it.each([
    ['of a cluster of another name', 'theirs', (tags: Tags) => tags],
    ['of a cluster of the same name', 'mine', (tags: Tags) => tags],
    ["that Cluster API's AWS provider made for a cluster of the same name", 'mine', withoutOurs],
  ])('%s is not terminated, and the machine is removed', async (_what, cluster, change) => {
    const id = await world.run(change(tagsOf('victim', cluster, 'm', 'uid-of-the-victim')));
    const input = await claim(id);
    const { progress } = await deleteMachine(input);

    expect(await stateOf(id)).toBe('running');
    expect(progress).toBe('done');
    expect(await eventsOf()).toContainEqual(expect.stringContaining(id));
  });

  it('is not terminated if nothing identifies its owner', async () => {
    const id = await world.run({ Name: 'build-server' });
    const input = await claim(id);
    expect((await deleteMachine(input)).progress).toBe('done');
    expect(await stateOf(id)).toBe('running');
  });

  it('of another machine of the same cluster is not terminated', async () => {
    const id = await world.run(tagsOf(world.evil, 'mine', 'other', 'uid-of-another-machine'));
    const input = await claim(id);
    expect((await deleteMachine(input)).progress).toBe('done');
    expect(await stateOf(id)).toBe('running');
  });

  it('gets no address, is not described in the AWSMachine, and is reported in a condition', async () => {
    const id = await world.run(tagsOf('victim', 'theirs', 'm', 'uid-of-the-victim'));
    const [address] = (await world.instances()).map(({ PrivateIpAddress }) => PrivateIpAddress);
    const input = await claim(id, { spec: { publicIP: true, elasticIpPool: {} } });
    expect((await stepsOf(world).observeInstance(input, context)).progress).toBe('failed');

    expect(world.account.ec2().addresses.all()).toEqual([]);
    const key = { namespace: world.evil, name: 'm' };
    const seen = await world.objects.get<AWSMachine>(kinds.awsMachine, key);
    expect(JSON.stringify(seen)).not.toContain(String(address));
    const ready = seen?.status?.conditions?.find(({ type }) => type === 'InstanceReady');
    expect(ready).toMatchObject({ status: 'False', reason: 'InstanceNotOwned' });
    expect(ready?.message).toContain(id);
  });

  it('is not adopted by an AWSMachine with its name', async () => {
    const id = await world.run(withoutOurs(tagsOf('victim', 'mine', 'm', 'uid-of-the-victim')));
    const { evil } = world;
    const uid = await world.plant(clusterOf(evil, 'mine'));
    await world.plant(awsClusterOf(evil, 'mine'));
    await world.plant(awsMachineOf(evil, 'm', 'mine', {}));
    const machineUid = await world.plant(machineOf(evil, 'm', 'mine'));
    const input = machineInput(evil, 'm', machineUid, { name: 'mine', uid });
    expect((await deleteMachine(input)).progress).toBe('done');
    expect(await stateOf(id)).toBe('running');
  });
});

describe("a machine's own instance", () => {
  it('is terminated if it was launched for the machine', async () => {
    const { evil } = world;
    const input = await claim('i-00000000000000000');
    const id = await world.run(tagsOf(evil, 'mine', 'm', input.machine.uid));
    await world.objects.mutate(kinds.awsMachine, { namespace: evil, name: 'm' }, (current) => ({
      ...current,
      spec: { ...current.spec, instanceID: id },
    }));
    await deleteMachine(input);
    expect(await stateOf(id)).toMatch(/shutting-down|terminated/);
  });

  it('is terminated even if its tags were removed', async () => {
    const { evil } = world;
    const input = await claim('i-00000000000000000');
    const id = await world.run({ Name: 'm' }, input.machine.uid);
    await world.objects.mutate(kinds.awsMachine, { namespace: evil, name: 'm' }, (current) => ({
      ...current,
      spec: { ...current.spec, instanceID: id },
    }));
    await deleteMachine(input);
    expect(await stateOf(id)).toMatch(/shutting-down|terminated/);
  });

  it.each([
    ['from another installation', (tags: Tags) => tags],
    ["from Cluster API's AWS provider", withoutOurs],
  ])('is terminated after it was moved %s', async (_from, change) => {
    const id = await world.run(change(tagsOf(world.evil, 'mine', 'm', 'uid-before-the-move')));
    const input = await claim(id);
    await deleteMachine(input);
    expect(await stateOf(id)).toMatch(/shutting-down|terminated/);
  });
});
