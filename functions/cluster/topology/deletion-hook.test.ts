/**
 * BeforeClusterDelete if the extension that decides fails, or if an object to which the topology refers no longer
 * exists.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../shared/kinds/index.ts';
import { UnansweredError } from '../../../shared/plan/hooks/error.ts';
import { context } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { type HookedCluster, makeHookedCluster } from './test-hooks.ts';

const database = useTestDatabase();

const HOURS = 12;
const WHY = 'http call failed: the connection was refused';
const KEY = { namespace: 'default', name: 'managed' };

describe('a cluster whose deletion waits for an extension', () => {
  let managed: HookedCluster;

  /** The seconds until the next pass begins, whether the workflow or the sweep starts it. */
  const wait = async (): Promise<number> => {
    const { cluster: ref, holder } = managed.input;
    await managed.work.begin(ref, holder, 60);
    await managed.steps.report(managed.input, context);
    const { waitSeconds } = await managed.steps.finish(managed.input, context);
    const dueAt = (await managed.work.get(ref))?.dueAt;
    return waitSeconds || (Date.parse(String(dueAt)) - managed.clock.now().getTime()) / 1000;
  };

  const conditionOf = async (type: string) =>
    (await managed.cluster()).status?.conditions?.find((condition) => condition.type === type);

  /** Whether everything that would be deleted with the cluster still exists. */
  const isWhole = async (): Promise<boolean> => {
    const kept = [kinds.awsCluster, kinds.kubeadmControlPlane, kinds.machineDeployment];
    const objects = (await Promise.all(kept.map((kind) => managed.listed(kind as typeof kinds.awsCluster)))).flat();
    return objects.length >= kept.length && objects.every(({ metadata }) => !metadata.deletionTimestamp);
  };

  beforeEach(async () => {
    managed = await makeHookedCluster(database());
    await managed.install();
    await managed.becomeReady();
    await managed.begin();
    await managed.objects.delete(kinds.cluster, KEY);
    managed.calls.length = 0;
  });

  it('keeps its objects and reports why while the extension fails for hours, and is deleted within an hour after that', async () => {
    managed.answers.set('BeforeClusterDelete', new UnansweredError(WHY));
    const waits: number[] = [];
    for (let passed = 0; passed < HOURS * 3600; passed += waits.at(-1) ?? 0) {
      expect(await managed.begin()).toMatchObject({ mode: 'paused' });
      waits.push(await wait());
      managed.clock.advance(waits.at(-1) ?? 0);
    }
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3700);
    expect(await conditionOf('TopologyReconciled')).toMatchObject({
      reason: 'ReconcileFailed',
      message: expect.stringContaining(WHY),
    });
    expect(await conditionOf('Deleting')).toMatchObject({ reason: 'WaitingForBeforeDeleteHook' });
    expect(await isWhole()).toBe(true);

    managed.answers.clear();
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
  });

  it('is deleted once the extension that blocks it is removed', async () => {
    managed.answers.set('BeforeClusterDelete', { retryAfterSeconds: 3600, message: 'backup' });
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    await managed.objects.delete(kinds.extensionConfig, { namespace: '', name: 'policy' });
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
  });

  it('waits for the extension even if its class and its templates are gone, and is then deleted without them', async () => {
    managed.answers.set('BeforeClusterDelete', { retryAfterSeconds: 20, message: 'backup' });
    const templates = await managed.templates();
    await managed.objects.delete(kinds.clusterClass, { namespace: 'default', name: 'aws-small' });
    for (const { metadata } of templates)
      await managed.objects.delete(kinds.awsMachineTemplate, { namespace: 'default', name: metadata.name });
    expect(await managed.objects.get(kinds.clusterClass, { namespace: 'default', name: 'aws-small' })).toBeUndefined();
    expect(await managed.begin()).toMatchObject({ mode: 'paused' });
    expect(await wait()).toBe(20);
    expect(await conditionOf('Deleting')).toMatchObject({ reason: 'WaitingForBeforeDeleteHook' });

    managed.answers.clear();
    managed.clock.advance(21);
    expect(await managed.begin()).toMatchObject({ mode: 'delete' });
    await managed.steps.report(managed.input, context);
    expect((await conditionOf('Deleting'))?.reason).not.toBe('WaitingForBeforeDeleteHook');
  });

  it('must keep its topology, without which the extension would not be called', async () => {
    const removal = managed.objects.mutate(kinds.cluster, KEY, ({ spec: { topology: _, ...spec }, ...rest }) => ({
      ...rest,
      spec,
    }));
    await expect(removal).rejects.toThrow('spec.topology: Forbidden: cannot be removed from an existing Cluster');
  });
});
