/** Machines that were moved or restored: they have a provider id from another installation, and no status. */
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { hosts } from '../../../shared/providers/hosts/infrastructure.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { HostError } from './ssh/host-error.ts';
import { CONTEXT, type FakeHost, makeHostWorld } from './test-hosts.ts';

const OLD = '11111111-1111-1111-1111-111111111111';
const PROVIDER_ID = `host://old/b/${OLD}`;

type World = Awaited<ReturnType<typeof makeHostWorld>>;
let world: World;
beforeEach(async () => {
  world = await makeHostWorld();
});

const launch = (input: MachineInput) => world.steps().launchInstance(input, CONTEXT);
const observe = (input: MachineInput) => world.steps().observeInstance(input, CONTEXT);
const release = (input: MachineInput) => world.steps().terminateInstance(input, CONTEXT);
const claimOf = async (name: string) => (await world.host(name))?.status?.claim?.machine;

/** The host on which the machine ran in the previous installation. */
const addRunning = async (name = 'b'): Promise<FakeHost> =>
  Object.assign(await world.addHost(name), { owner: OLD, hasKubelet: true, state: '0' });
const addMoved = () => world.addMachine('m', { spec: { providerID: PROVIDER_ID } });

const PAUSED = 'cluster.x-k8s.io/paused';

describe('a machine that was moved here', () => {
  it('claims the host that its provider id names, and boots nothing', async () => {
    const other = await world.addHost('a');
    const own = await addRunning();
    const input = await addMoved();
    await launch(input);
    await launch(input);
    expect(await observe(input)).toMatchObject({ progress: 'done' });

    expect([other.started, own.started, own.owner]).toEqual([0, 0, OLD]);
    expect([await claimOf('a'), await claimOf('b')]).toEqual([undefined, 'm']);
    const machine = await world.machine('m');
    expect(machine).toMatchObject({
      spec: { providerID: PROVIDER_ID },
      status: { state: 'Running', ready: true, host: { name: 'b' } },
    });
    // Its bootstrap data is not rendered again.
    expect(machine && hosts.instance(machine)).toMatchObject({ name: OLD, decidedAt: undefined });

    expect(await release(input)).toMatchObject({ progress: 'done' });
    expect([own.owner, own.hasKubelet, await claimOf('b')]).toEqual(['', false, undefined]);
  });

  it('is reset even if it was never adopted', async () => {
    const own = await addRunning();
    own.resets = ['running'];
    const input = await addMoved();
    expect(await release(input)).toMatchObject({ progress: 'wait' });
    expect(await claimOf('b')).toBe('m');
    expect(await release(input)).toMatchObject({ progress: 'done' });
    expect([own.owner, own.hasKubelet, await claimOf('b')]).toEqual(['', false, undefined]);
    expect((await world.host('b'))?.metadata.finalizers ?? []).toEqual([]);
  });

  it.each([
    ['that does not exist', 'Host b, which spec.providerID names, does not exist in namespace default', {}],
    ['without its mark', 'not marked as belonging to the machine that spec.providerID names', { owner: '' }],
    ['with the mark of another', 'marked as belonging to another HostMachine', { owner: 'other' }],
    ['that does not answer', 'Host b: gone', { trouble: new HostError('Unreachable', 'gone') }],
  ])('does not claim a host %s, or any other', async (_, says, computer) => {
    const other = await world.addHost('a');
    if (Object.keys(computer).length > 0) Object.assign(await addRunning(), computer);
    await expect(launch(await addMoved())).rejects.toThrow(says);
    expect([other.started, await claimOf('a'), await claimOf('b')]).toEqual([0, undefined, undefined]);
    expect((await world.machine('m'))?.spec.providerID).toBe(PROVIDER_ID);
  });

  it('does not touch a host that another machine has claimed, and reports that no host was reset', async () => {
    const own = await world.addHost('b');
    await launch(await world.addMachine('n'));
    const input = await addMoved();
    await expect(launch(input)).rejects.toThrow('Host b, which spec.providerID names, is claimed by n');
    expect(await release(input)).toMatchObject({ progress: 'done' });
    expect([own.started, await claimOf('b')]).toEqual([1, 'n']);
    expect(await world.reasons()).toContain('HostGone');
  });

  it.each([
    { what: 'cluster', kind: kinds.cluster, name: 'red' },
    { what: 'Machine', kind: kinds.machine, name: 'm' },
    { what: 'HostMachine', kind: kinds.hostMachine, name: 'm' },
  ])('waits while its $what is paused', async ({ kind, name }) => {
    await addRunning();
    const input = await addMoved();
    const pause = (isPaused: boolean) =>
      world.objects.mutate(kind as typeof kinds.machine, { namespace: 'default', name }, (current) => {
        const { [PAUSED]: _, ...others } = current.metadata.annotations ?? {};
        const annotations = isPaused ? { ...others, [PAUSED]: '' } : others;
        return { ...current, metadata: { ...current.metadata, annotations } };
      });
    await pause(true);
    await launch(input);
    expect(await observe(input)).toMatchObject({ progress: 'failed' });
    expect([await claimOf('b'), (await world.machine('m'))?.status?.state]).toEqual([undefined, undefined]);
    await pause(false);
    await launch(input);
    expect(await observe(input)).toMatchObject({ progress: 'done' });
  });
});
