/** Objects to which a user has given as many owners as an object may have. */
import { beforeEach, describe, expect, it } from 'vitest';
import { kinds } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { MAX_OWNERS } from '../../../../shared/kube-api/owner-limits.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { useTestDatabase } from '../../test-database.ts';
import { beginCluster, context, makeWorld, type World } from '../test-world.ts';
import { addPool } from './test-pool.ts';

const database = useTestDatabase();

const OWNERS = Array.from({ length: MAX_OWNERS }, (_, index) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  ...{ name: `c-${index}`, uid: `u-${index}` },
}));

describe('an object with as many owners as a user may give it', () => {
  let w: World;
  let input: ConvergeInput;

  const crowd = <T extends KubeObject>(resource: ResourceDefinition<T>, object: KubeObject) =>
    w.objects.mutate(resource, { namespace: 'default', name: object.metadata.name }, (now) => ({
      ...now,
      metadata: { ...now.metadata, ownerReferences: OWNERS },
    }));
  const controllersOf = async (resource: ResourceDefinition) =>
    (await w.objects.listOfCluster(resource, 'default', 'quickstart')).map(({ metadata }) =>
      metadata.ownerReferences?.filter(({ controller }) => controller).map(({ kind }) => kind),
    );

  beforeEach(async () => {
    w = await makeWorld(database());
    input = await beginCluster(w);
    await w.steps.machines(input, context);
    await addPool(w);
    await w.steps.report(input, context);
  });

  it.each([kinds.awsMachine, kinds.kubeadmConfig, kinds.awsMachinePool] as never as ResourceDefinition[])(
    'gets its controller, and does not fail the report: $kind',
    async (resource) => {
      for (const object of await w.objects.listOfCluster(resource, 'default', 'quickstart'))
        await crowd(resource, object);
      await w.steps.report(input, context);

      expect(new Set((await controllersOf(resource)).map((found) => found?.length))).toEqual(new Set([1]));
    },
  );

  it.each([kinds.awsCluster, kinds.kubeadmControlPlane] as never as ResourceDefinition[])(
    'is adopted by its Cluster: $kind',
    async (resource) => {
      const [object] = await w.objects.listOfCluster(resource, 'default', 'quickstart');
      await crowd(resource, object as KubeObject);
      await w.work.release(input.cluster, input.holder);

      expect(await w.steps.begin(input, context)).toMatchObject({ mode: 'normal' });
    },
  );

  it('is used as a template without an owner', async () => {
    for (const resource of [kinds.awsMachineTemplate, kinds.kubeadmConfigTemplate] as never as ResourceDefinition[])
      for (const object of await w.objects.list(resource, 'default')) await crowd(resource, object);
    const key = { namespace: 'default', name: 'quickstart-md-0' };
    await w.objects.mutate(kinds.machineDeployment, key, (now) => ({ ...now, spec: { ...now.spec, replicas: 5 } }));
    await w.steps.machines(input, context);

    const machines = await w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
    expect(machines.filter(({ metadata }) => metadata.name.startsWith(key.name))).toHaveLength(5);
    const [template] = await w.objects.list(kinds.kubeadmConfigTemplate, 'default');
    expect(template?.metadata.ownerReferences).toEqual(OWNERS);
  });
});
