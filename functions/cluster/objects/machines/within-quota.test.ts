import { expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import { withQuotas } from '../../../../shared/kube-api/quota/quota-storage.ts';
import { createQuotaUsage } from '../../../../shared/store/limits/quota-usage.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, makeWorld, pass, type World } from '../test-world.ts';

/** A hostile editor wants more machines than the quota of their namespace allows. */

const database = useTestDatabase();

const beginWith = async (hard: Record<string, string>) => {
  const name = await database().makeTable();
  const failures: unknown[] = [];
  const w = await makeWorld(database(), (storage, clock) =>
    withQuotas(storage, {
      usage: createQuotaUsage({ client: database().client, table: name, clock }),
      clock,
      onFailure: (error) => failures.push(error),
    }),
  );
  const head = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'small', namespace: 'default' } };
  await w.apply({ ...head, spec: { hard } } as never);
  const input = await beginCluster(w);
  return { w, input, failures };
};
const machines = (w: World) => w.objects.list(kinds.machine, 'default');
const refusals = async (w: World) =>
  (await w.objects.list(kinds.event, 'default')).filter(({ reason }) => reason === 'FailedCreate');

it('a cluster gets as many machines as its quota allows, reports why there are no more, and its pass continues', async () => {
  const { w, input } = await beginWith({ 'count/machines.cluster.x-k8s.io': '4' });
  await pass(w, input);
  expect(await machines(w)).toHaveLength(4);
  // All existing machines were started.
  expect(w.started.provision).toHaveLength(4);
  expect(await refusals(w)).toMatchObject([
    {
      type: 'Warning',
      message: expect.stringContaining('exceeded quota: small, requested: count/machines.cluster.x-k8s.io=1, used:'),
      involvedObject: { kind: 'MachineSet' },
    },
  ]);
  const stored = await w.objects.get(kinds.cluster, input.cluster);
  expect(stored?.status?.phase).toBe('Provisioned');
});

it('machines that lack other objects because of a quota are completed once the quota allows it', async () => {
  const { w, input } = await beginWith({ 'count/awsmachines.infrastructure.cluster.x-k8s.io': '2' });
  await pass(w, input);
  expect(await w.objects.list(kinds.awsMachine, 'default')).toHaveLength(2);
  const raised = { hard: { 'count/awsmachines.infrastructure.cluster.x-k8s.io': '20' } };
  const key = { namespace: 'default', name: 'small' };
  await w.objects.mutate(kinds.resourceQuota, key, (current) => ({ ...current, spec: raised }));
  await pass(w, input);
  expect(await w.objects.list(kinds.awsMachine, 'default')).toHaveLength(6);
  expect(await machines(w)).toHaveLength(6);
});

it('a refused creation is retried without a new event each time', async () => {
  const { w, input } = await beginWith({ 'count/machines.cluster.x-k8s.io': '4' });
  for (let again = 0; again < 4; again += 1) await pass(w, input);
  expect(await refusals(w)).toMatchObject([{ count: 4 }]);
  expect(await machines(w)).toHaveLength(4);
});
