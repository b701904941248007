import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import {
  applyCluster,
  context,
  makeInfrastructureReady,
  makeWorld,
  pass,
  quickstart,
  type World,
} from '../test-world.ts';

const database = useTestDatabase();

const MARK = 'windlass.dev/infrastructure-managed-by';

describe('a Cluster whose infrastructure another system manages', () => {
  let w: World;
  let input: ConvergeInput;
  const key = { namespace: 'default', name: 'quickstart' };
  const awsCluster = () => w.objects.get(kinds.awsCluster, key);

  beforeEach(async () => {
    w = await makeWorld(database());
    const wanted = await quickstart();
    const brought = wanted.find(({ kind }) => kind === 'AWSCluster');
    if (brought) brought.metadata.annotations = { 'cluster.x-k8s.io/managed-by': 'crossplane' };
    ({ input } = await applyCluster(w, wanted));
    expect(await w.steps.begin(input, context)).toMatchObject({ mode: 'normal' });
  });

  it('owns the AWSCluster, as upstream, but sets no finalizer, and records the other system', async () => {
    expect((await awsCluster())?.metadata.ownerReferences).toMatchObject([{ kind: 'Cluster', name: 'quickstart' }]);
    expect((await awsCluster())?.metadata.finalizers).toBeUndefined();
    expect((await w.objects.get(kinds.cluster, key))?.metadata.annotations).toMatchObject({ [MARK]: 'crossplane' });
  });

  it('creates its machines when the other system reports readiness', async () => {
    await makeInfrastructureReady(w.objects);
    await pass(w, input);
    expect(await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart')).toHaveLength(6);
  });

  it('deletes the AWSCluster, and waits for the other system to remove its finalizer', async () => {
    await w.objects.mutate(kinds.awsCluster, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: ['crossplane.example.com/held'] },
    }));
    await w.objects.delete(kinds.cluster, key);
    for (let round = 0; round < 3; round += 1) await w.steps.teardown(input, context);
    await w.steps.report(input, context);
    expect((await awsCluster())?.metadata.deletionTimestamp).toBeDefined();
    expect(await w.objects.get(kinds.cluster, key)).toBeDefined();

    await w.objects.mutate(kinds.awsCluster, key, (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: [] },
    }));
    await w.steps.report(input, context);
    expect(await w.objects.get(kinds.cluster, key)).toBeUndefined();
  });
});
