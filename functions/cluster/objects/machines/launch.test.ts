import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import type { ConvergeInput, MachineRef } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();

describe('machines that only wait for their nodes', () => {
  let w: World;
  let input: ConvergeInput;
  let machines: Machine[];
  const refOf = ({ metadata: { name, uid = '' } }: Machine): MachineRef => ({
    ...{ namespace: 'default', name, uid },
    ...{ clusterName: 'quickstart', clusterUid: input.cluster.uid },
  });
  const launched = async (): Promise<MachineRef[]> => {
    w.started.provision.length = 0;
    await w.steps.launch(input, context);
    return w.started.provision;
  };

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
    machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    for (const machine of machines) await w.work.joinNodeWatch(refOf(machine), 'first', 10);
  });

  it('get no executions while one execution watches for all of them', async () => {
    expect(await launched()).toEqual([]);
  });

  it('get a new common execution if the one that watched has failed', async () => {
    w.clock.advance(120);
    expect(await launched()).toHaveLength(1);
  });

  it('get one execution each if no execution watches for them any more', async () => {
    const [first] = machines as [Machine];
    await w.work.leaveNodeWatch(input.cluster, [first.metadata.uid ?? '']);
    expect(await launched()).toEqual([refOf(first)]);
  });

  it('are removed immediately if they are deleted', async () => {
    const [first] = machines as [Machine];
    await w.objects.delete(kinds.machine, refOf(first));
    expect(await launched()).toEqual([]);
    expect(w.started.remove).toEqual([refOf(first)]);
  });

  it('do not include those of an earlier cluster of the same name', async () => {
    const earlier = { ...refOf(machines[0] as Machine), uid: 'gone', clusterUid: 'earlier' };
    await w.work.joinNodeWatch(earlier, 'earlier', 10);
    expect((await w.work.machinesInWork(input.cluster)).awaited.has('gone')).toBe(false);
  });
});

describe('a control plane machine that is a node', () => {
  let w: World;
  let input: ConvergeInput;
  let name: string;
  const isAttached = (is: boolean) =>
    w.objects.mutate(kinds.awsMachine, { namespace: 'default', name }, (machine) => ({
      ...machine,
      spec: { ...machine.spec, instanceID: 'i-1' },
      status: {
        ...machine.status,
        ready: true,
        instanceState: 'running',
        conditions: is
          ? [{ type: 'ELBAttached', status: 'True' as const, lastTransitionTime: '2026-01-01T00:00:00Z' }]
          : [],
      },
    }));
  const launched = async (): Promise<string[]> => {
    w.started.provision.length = 0;
    await w.steps.launch(input, context);
    return w.started.provision.map((machine) => machine.name);
  };

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    name = machines.find(isControlPlaneMachine)?.metadata.name ?? '';
    const ready = { type: 'NodeReady', status: 'True' as const, reason: 'R', message: '' };
    await w.objects.mutate(kinds.machine, { namespace: 'default', name }, (machine) => ({
      ...machine,
      status: {
        ...{ phase: 'Running' as const, nodeRef: { name: 'n-1' } },
        conditions: [{ ...ready, lastTransitionTime: '2026-01-01T00:00:00Z' }],
      },
    }));
  });

  it('gets an execution if its own ended without registering the instance with the load balancer', async () => {
    await isAttached(false);
    expect(await launched()).toContain(name);
    await isAttached(true);
    expect(await launched()).not.toContain(name);
  });

  it('gets an execution only some time after its API server has stopped answering', async () => {
    await isAttached(true);
    const lastTransitionTime = w.clock.now().toISOString();
    const lost = { type: 'NodeReady', status: 'Unknown' as const, reason: 'ConnectionDown', message: '' };
    await w.objects.mutate(kinds.machine, { namespace: 'default', name }, (machine) => ({
      ...machine,
      status: { ...machine.status, conditions: [{ ...lost, lastTransitionTime }] },
    }));
    w.clock.advance(5);
    expect(await launched()).not.toContain(name);
    w.clock.advance(20);
    expect(await launched()).toContain(name);
  });
});
