import { beforeEach, describe, expect, it } from 'vitest';
import { type KubeadmControlPlane, kinds, type MachineSet } from '../../../../shared/kinds/index.ts';
import { ANNOTATION, LABEL } from '../../../../shared/plan/labels.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import { useTestDatabase } from '../../test-database.ts';
import { makeWorld, type World } from '../test-world.ts';
import { awaitsReplacement } from './settled.ts';
import { annotated, beginSettled, is, type SettledCluster, START, withStatus } from './test-settled.ts';

const database = useTestDatabase();

describe('a cluster whose machines all have a ready node', () => {
  let w: World;
  let its: SettledCluster;
  beforeEach(async () => {
    w = await makeWorld(database());
    const begun = await beginSettled(w);
    its = begun.its;
    await w.work.touch(begun.input.cluster);
    await its.settle();
  });

  const isDueAt = async (time: string): Promise<boolean> => (await w.work.due(new Date(time))).length > 0;

  /**
   * A machine whose health check failed because of a condition that does not concern its node, and that is not replaced
   * yet.
   */
  const defer = async (isOfControlPlane: boolean): Promise<void> => {
    const [machine] = (await its.machines()).filter(
      ({ metadata }) => LABEL.controlPlane in (metadata.labels ?? {}) === isOfControlPlane,
    );
    const failed = [
      is('HealthCheckSucceeded', 'False', 'UnhealthyMachine'),
      is('OwnerRemediated', 'False', 'RemediationDeferred'),
    ];
    const made = JSON.stringify({ machine: 'earlier', timestamp: START, retryCount: 0 });
    const name = machine?.metadata.name ?? '';
    const conditions = [...(machine?.status?.conditions ?? []), ...failed];
    await its.change(kinds.machine, name, withStatus({ conditions }));
    await its.change(kinds.machine, name, annotated({ [ANNOTATION.remediationFor]: made }));
  };
  const limit = (remediation: NonNullable<KubeadmControlPlane['spec']['remediation']>) =>
    its.change(kinds.kubeadmControlPlane, 'quickstart-control-plane', (current) => ({
      ...current,
      spec: { ...current.spec, remediation },
    }));

  it('needs no pass', async () => {
    expect(await its.finish()).toBe(0);
    expect(await isDueAt('2026-01-01T12:00:00Z')).toBe(false);
  });

  it('is due for a pass when the retry period of a control plane machine ends', async () => {
    await limit({ retryPeriodSeconds: 1200 });
    await defer(true);
    expect(await its.finish()).toBe(0);
    expect([await isDueAt('2026-01-01T00:19:59Z'), await isDueAt('2026-01-01T00:20:00Z')]).toEqual([false, true]);
    w.clock.advance(1100);
    expect(await its.finish()).toBe(100);
  });

  it('is due for a pass when a control plane machine that was replaced too often has been healthy for long enough to retry', async () => {
    await limit({ maxRetry: 0, minHealthyPeriodSeconds: 7200 });
    await defer(true);
    await its.finish();
    expect([await isDueAt('2026-01-01T01:59:59Z'), await isDueAt('2026-01-01T02:00:00Z')]).toEqual([false, true]);
  });

  it.each([
    ['control plane machine', true],
    ['worker', false],
  ])('retries if the remediation of a %s was deferred for another reason', async (_, isOfControlPlane) => {
    await defer(isOfControlPlane);
    expect([await its.finish(), await its.finish(), await its.finish()]).toEqual([1, 2, 4]);
  });

  it('does not retry a deferred remediation while its owner is paused', async () => {
    await defer(false);
    const [set] = await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart');
    await its.change(kinds.machineSet, set?.metadata.name ?? '', annotated({ 'cluster.x-k8s.io/paused': '' }));
    expect(await its.finish()).toBe(0);
  });

  describe('with a standalone MachineSet that lacks machines', () => {
    const annotate = (annotations: Record<string, string>) =>
      its.change(kinds.machineSet, 'own', ({ metadata, ...rest }) => ({
        ...rest,
        metadata: { ...metadata, annotations },
      }));
    beforeEach(async () => {
      const [set] = await w.objects.listOfCluster(kinds.machineSet, 'default', 'quickstart');
      const matchLabels = { set: 'own' };
      const template = { ...set?.spec.template, metadata: { labels: matchLabels } };
      const spec = { ...set?.spec, replicas: 2, selector: { matchLabels }, template };
      await w.apply({
        ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', spec },
        metadata: { name: 'own', namespace: 'default' },
      } as MachineSet);
    });

    it('retries until the set has them', async () => {
      expect([await its.finish(), await its.finish()]).toEqual([1, 2]);
      await its.change(kinds.machineSet, 'own', withStatus({ replicas: 2 }));
      expect(await its.finish()).toBe(0);
    });

    it('does not retry while the set is paused or creates no machines', async () => {
      await annotate({ 'cluster.x-k8s.io/paused': '' });
      expect(await its.finish()).toBe(0);
      await annotate({ [ANNOTATION.disableMachineCreate]: 'true' });
      expect(await its.finish()).toBe(0);
    });
  });
});

it('leaves the machines of an external control plane to its provider', () => {
  const owner = { kind: 'RackControlPlane', metadata: { name: 'cp', uid: 'uid-cp' } };
  const machine = {
    metadata: { name: 'cp-1', ownerReferences: [{ controller: true, uid: 'uid-cp' }] },
    status: {
      conditions: [
        is('HealthCheckSucceeded', 'False', 'UnhealthyNode'),
        is('OwnerRemediated', 'False', 'RemediationDeferred'),
      ],
    },
  };
  const snapshot = { controlPlane: owner, sets: [], machines: [machine], infrastructureMachines: new Map() };
  const isAwaited = (isOutside: boolean): boolean => {
    const distribution = { isOutside, remediation: () => ({}) };
    return awaitsReplacement({ ...snapshot, distribution } as unknown as ClusterSnapshot, new Date(START));
  };
  expect([isAwaited(false), isAwaited(true)]).toEqual([true, false]);
});
