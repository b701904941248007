import { beforeEach, describe, expect, it } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { withObservation } from '../../../../shared/plan/machines/status.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, conditionOf, makeWorld, pass, type World } from '../test-world.ts';

const database = useTestDatabase();

const CONTROL_PLANE = 'cluster.x-k8s.io/control-plane';
const isControlPlane = ({ metadata }: Machine) => CONTROL_PLANE in (metadata.labels ?? {});

/** Marks a machine as a health check does if it is unhealthy. */
const markUnhealthy = (w: World, name: string) =>
  w.objects.mutate(kinds.machine, { namespace: 'default', name }, (machine) =>
    withObservation(
      machine,
      {
        health: [
          { type: 'HealthCheckSucceeded', status: 'False', reason: 'UnhealthyNode' },
          { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation' },
        ],
      },
      w.clock.now(),
    ),
  );

const letGo = (w: World, name: string) =>
  w.objects.mutate(
    kinds.machine,
    { namespace: 'default', name },
    ({ metadata: { finalizers: _, ...metadata }, ...rest }) => ({
      ...rest,
      metadata,
    }),
  );

describe('remediation of workers', () => {
  let w: World;
  let input: ConvergeInput;
  const machines = () => w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const workers = async () => (await machines()).filter((machine) => !isControlPlane(machine));

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await pass(w, input);
  });

  it('replaces an unhealthy machine of a set, and reports it on the machine and on its owners', async () => {
    const before = (await workers()).map(({ metadata }) => metadata.name);
    const [bad = ''] = before;
    await markUnhealthy(w, bad);

    await pass(w, input);
    const machine = (await workers()).find(({ metadata }) => metadata.name === bad);
    expect(machine?.metadata.deletionTimestamp).toBeDefined();
    expect(conditionOf(machine, 'OwnerRemediated')).toMatchObject({ status: 'False', reason: 'MachineDeleting' });
    for (const kind of [kinds.machineSet, kinds.machineDeployment]) {
      const [owner] = await w.objects.listOfCluster(kind, 'default', 'quickstart');
      expect(conditionOf(owner, 'Remediating'), kind.kind).toMatchObject({
        status: 'True',
        message: `* Machine ${bad}: Machine is deleting`,
      });
    }
    expect(await workers()).toHaveLength(before.length);
    expect(w.started.remove.map(({ name }) => name)).toEqual([bad]);

    await letGo(w, bad);
    await pass(w, input);
    const after = await workers();
    expect(after).toHaveLength(before.length);
    expect(after.map(({ metadata }) => metadata.uid)).not.toContain(machine?.metadata.uid);
  });

  it.each([
    ['the template of a rollout does not exist', {}, { infrastructureRef: { name: 'misspelt' } }],
    ['the deployment is paused by annotation', { 'cluster.x-k8s.io/paused': '' }, { failureDomain: 'b' }],
  ])('replaces an unhealthy machine while %s', async (_, annotations, change) => {
    const [deployment] = await w.objects.listOfCluster(kinds.machineDeployment, 'default', 'quickstart');
    const key = { namespace: 'default', name: deployment?.metadata.name ?? '' };
    await w.objects.mutate(kinds.machineDeployment, key, ({ metadata, spec, ...rest }) => {
      const { infrastructureRef, ...of } = { ...spec.template.spec, ...change };
      const ref = { ...spec.template.spec.infrastructureRef, ...infrastructureRef };
      const template = { ...spec.template, spec: { ...of, infrastructureRef: ref } };
      const noted = { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
      return { ...rest, metadata: noted, spec: { ...spec, template } };
    });
    const before = await workers();
    const { name = '', uid } = before[0]?.metadata ?? {};
    await markUnhealthy(w, name);
    await pass(w, input);
    await letGo(w, name);
    await pass(w, input);

    const after = (await workers()).map(({ metadata }) => metadata.uid);
    expect(after).toHaveLength(before.length);
    expect(before.map(({ metadata }) => metadata.uid).filter((one) => !after.includes(one))).toEqual([uid]);
  });

  it('replaces no more at once than the deployment allows', async () => {
    const [deployment] = await w.objects.listOfCluster(kinds.machineDeployment, 'default', 'quickstart');
    const key = { namespace: 'default', name: deployment?.metadata.name ?? '' };
    await w.objects.mutate(kinds.machineDeployment, key, (current) => ({
      ...current,
      spec: { ...current.spec, remediation: { maxInFlight: 1 } },
    }));
    const names = (await workers()).map(({ metadata }) => metadata.name);
    await Promise.all(names.map((name) => markUnhealthy(w, name)));
    await pass(w, input);
    await pass(w, input);
    const going = (await workers()).filter(({ metadata }) => metadata.deletionTimestamp);
    expect([names.length > 1, going.length]).toEqual([true, 1]);
  });

  it('keeps a machine that has recovered, and removes its OwnerRemediated condition', async () => {
    const [name = ''] = (await workers()).map(({ metadata }) => metadata.name);
    await markUnhealthy(w, name);
    const health = [{ type: 'HealthCheckSucceeded', status: 'True', reason: 'HealthCheckSucceeded' }] as const;
    const now = w.clock.now();
    await w.objects.mutate(kinds.machine, { namespace: 'default', name }, (m) => withObservation(m, { health }, now));
    await pass(w, input);
    const machine = (await workers()).find(({ metadata }) => metadata.name === name);
    expect(machine?.metadata.deletionTimestamp).toBeUndefined();
    expect(conditionOf(machine, 'OwnerRemediated')).toBeUndefined();
  });
});
