/**
 * An address from a pool: associated once with the running instance, whatever crashes happen, and released with the
 * machine.
 */
import { describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import type { ScopedInstanceDependencies } from '../../functions/providers/aws/instance/dependencies.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { attachInterface } from '../../infra/local/engines/ec2/instances/interfaces.ts';
import { translateAwsError } from '../../shared/aws/errors.ts';
import { type Event, kinds } from '../../shared/kinds/index.ts';
import { connectEc2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import type { ProgressResult } from '../../shared/work/payloads.ts';
import { isObjectWrite, KilledError, makeExecutioner } from '../cluster-infrastructure/faults.ts';
import { context, forEachTest, KEY } from './setting.ts';
import type { MachineWorld } from './world.ts';

const POOL = { id: 'ipv4pool-ec2-0a', cidr: '203.0.113.7/32' };
const SPEC = {
  publicIP: true,
  elasticIpPool: { publicIpv4Pool: POOL.id, publicIpv4PoolFallbackOrder: 'none' as const },
};

let world: MachineWorld;

forEachTest(
  (next) => {
    world = next;
    world.account.settings.publicIpv4Pools = [POOL];
  },
  { spec: SPEC },
);

const addresses = () => world.account.ec2().addresses.all();
const bound = () => addresses().map(({ publicIp, binding }) => ({ publicIp, isBound: binding !== undefined }));
const events = async (): Promise<string[]> =>
  (await world.dependencies.objects.list<Event>(kinds.event)).map(({ reason = '' }) => reason);

const until = async (look: () => Promise<ProgressResult>): Promise<ProgressResult> => {
  for (let looks = 0; looks < 100; looks += 1) {
    const result = await look();
    if (result.progress !== 'wait') return result;
    world.clock.advance(result.waitSeconds);
  }
  throw new Error('it was never done');
};

const provision = async (dependencies: ScopedInstanceDependencies = world.dependencies): Promise<ProgressResult> => {
  const steps = makeInstanceSteps(dependencies);
  await steps.launchInstance(world.input, context);
  return until(() => steps.observeInstance(world.input, context));
};

const remove = () => until(() => makeInstanceSteps(world.dependencies).terminateInstance(world.input, context));

/** Provisions the machine, with a crash at the k-th write after the launch; true if it crashed. */
const killedAfter = async (at: number): Promise<boolean> => {
  const { dependencies } = world;
  await makeInstanceSteps(dependencies).launchInstance(world.input, context);
  const executioner = makeExecutioner(at, 'after');
  const port = dependencies.ec2(await controllerScopeOf(undefined));
  const ec2 = executioner.guard(port, (method) => /^(allocate|associate|release)Address$/.test(method));
  const objects = executioner.guard(dependencies.objects, isObjectWrite);
  try {
    await provision({ ...dependencies, objects, ec2: () => ec2 });
    return false;
  } catch (error) {
    if (error instanceof KilledError) return true;
    throw error;
  }
};

/** The writes at which it may crash: the intent, the allocation, and, after an event, the association. */
const [INTENT, ALLOCATION, ASSOCIATION] = [1, 2, 4];

describe('a machine with an address of a pool', () => {
  it('gets exactly one address once it runs, and releases it when it is removed, with events for both', async () => {
    expect(await provision()).toMatchObject({ progress: 'done' });

    expect(bound()).toEqual([{ publicIp: '203.0.113.7', isBound: true }]);
    const machine = await world.dependencies.objects.get(kinds.awsMachine, KEY);
    expect(machine?.status?.addresses).toContainEqual({ type: 'ExternalIP', address: '203.0.113.7' });
    const [{ tags } = { tags: new Map() }] = addresses();
    expect(tags.get('sigs.k8s.io/cluster-api-provider-aws/role')).toBe(`ec2-${machine?.spec.instanceID}`);
    expect(await events()).toEqual(expect.arrayContaining(['SuccessfulAllocateEIP', 'SuccessfulAssociateEIP']));
    expect(await remove()).toMatchObject({ progress: 'done' });
    expect(addresses()).toEqual([]);
    expect(await events()).toContain('SuccessfulReleaseEIP');
  });

  it('gets no second address if the answer about the first one is lost, although clients repeat their calls', async () => {
    world.account.settings.publicIpv4Pools = [{ ...POOL, cidr: '203.0.113.0/28' }];
    const ec2 = connectEc2Instances(world.connection);
    const dependencies = { ...world.dependencies, ec2: () => ec2 };
    await makeInstanceSteps(dependencies).launchInstance(world.input, context);
    world.account.failNext('ec2', 'AllocateAddress', { code: 'InternalError', status: 500, when: 'after' });
    await expect(provision(dependencies)).rejects.toMatchObject({ name: 'InternalError' });
    expect(await provision(dependencies)).toMatchObject({ progress: 'done' });

    expect(bound()).toEqual([{ publicIp: expect.any(String), isBound: true }]);
  });

  it.each([INTENT, ALLOCATION, ASSOCIATION])(
    'has one address, and none after its removal, if the run dies after write %s',
    async (at) => {
      // A new address is not visible for a while: a lost response must not lead to two.
      world.account.settings.consistencyMilliseconds = at === ASSOCIATION ? 0 : 8000;
      expect(await killedAfter(at)).toBe(true);
      await provision();
      expect(bound()).toEqual([{ publicIp: '203.0.113.7', isBound: true }]);
      await remove();
      expect(addresses()).toEqual([]);
    },
  );

  it.each([INTENT, ALLOCATION])(
    'leaves no address behind if the run dies after write %s and the machine is deleted',
    async (at) => {
      world.account.settings.consistencyMilliseconds = 8000;
      expect(await killedAfter(at)).toBe(true);
      await remove();
      expect(addresses()).toEqual([]);
    },
  );

  it('has one address after two concurrent runs', async () => {
    world.account.settings.publicIpv4Pools = [{ ...POOL, cidr: '203.0.113.0/28' }];
    await makeInstanceSteps(world.dependencies).launchInstance(world.input, context);
    await Promise.allSettled([provision(), provision(), provision()]);
    await provision();
    expect(bound()).toEqual([expect.objectContaining({ isBound: true })]);
  });

  it.each(['InvalidInstanceID', 'IncorrectInstanceState'])(
    'tries again if EC2 does not regard the instance as running yet (%s)',
    async (code) => {
      const message = "The pending instance 'i-0' is not in a valid state for this operation.";
      world.account.failNext('ec2', 'AssociateAddress', { code, message, times: 1 });

      const refusal = await provision().catch(translateAwsError);

      expect(refusal).toMatchObject({ name: 'Transient' });
      expect(await provision()).toMatchObject({ progress: 'done' });
      expect(bound()).toEqual([{ publicIp: '203.0.113.7', isBound: true }]);
      expect(await events()).not.toContain('FailedAssociateEIP');
    },
  );

  it('gets the address on its first interface if a CNI plugin has attached another one', async () => {
    world.account.settings.publicIpv4Pools = [];
    await expect(provision()).rejects.toThrow('there is no pool');
    const ec2 = world.account.ec2();
    const [instance] = ec2.instances.all();
    if (!instance) throw new Error('there is no instance');
    const further = attachInterface(ec2, instance);
    world.account.settings.publicIpv4Pools = [POOL];

    expect(await provision()).toMatchObject({ progress: 'done' });

    expect(addresses().map(({ binding }) => binding?.interfaceId)).toEqual([instance.interfaceId]);
    await remove();
    expect(addresses()).toEqual([]);
    expect(ec2.networkInterfaces.find(further.id)).toBeUndefined();
  });

  it('reports the field if the pool does not exist, and gets an address once it exists', async () => {
    world.account.settings.publicIpv4Pools = [];
    await expect(provision()).rejects.toThrow('spec.elasticIpPool.publicIpv4Pool: there is no pool ipv4pool-ec2-0a');
    world.account.settings.publicIpv4Pools = [POOL];
    expect(await provision()).toMatchObject({ progress: 'done' });
  });
});
