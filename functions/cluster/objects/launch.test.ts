import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { ConvergeInput, MachineRef } from '../../../shared/work/payloads.ts';
import { useTestDatabase } from '../test-database.ts';
import { applyCluster, context, makeInfrastructureReady, makeWorld, pass, type World } from './test-world.ts';

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
    ({ input } = await applyCluster(w));
    await w.steps.begin(input, context);
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    for (const machine of machines) await w.work.joinNodeWatch(refOf(machine), 'first', 10);
  });

  it('get no executions of their own while one watches for all of them', async () => {
    expect(await launched()).toEqual([]);
  });

  it('get a common one if the one that watched has failed', async () => {
    w.clock.advance(120);
    expect(await launched()).toHaveLength(1);
  });

  it('get one each when nothing watches for them any more', async () => {
    const [first] = machines as [Machine];
    await w.work.leaveNodeWatch(input.cluster, [first.metadata.uid ?? '']);
    expect(await launched()).toEqual([refOf(first)]);
  });

  it('are removed at once when they are deleted', async () => {
    const [first] = machines as [Machine];
    await w.objects.delete(kinds.machine, refOf(first));
    expect(await launched()).toEqual([]);
    expect(w.started.remove).toEqual([refOf(first)]);
  });

  it('of an earlier cluster of the same name do not count', async () => {
    const earlier = { ...refOf(machines[0] as Machine), uid: 'gone', clusterUid: 'earlier' };
    await w.work.joinNodeWatch(earlier, 'earlier', 10);
    expect((await w.work.machinesInWork(input.cluster)).awaited.has('gone')).toBe(false);
  });
});
