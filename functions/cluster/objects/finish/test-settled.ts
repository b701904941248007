/** For tests: a cluster of the example whose machines run, and changes of its objects. */
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import type { ConvergeInput } from '../../../../shared/work/payloads.ts';
import { beginCluster, context, pass, type World } from '../test-world.ts';

export const START = '2026-01-01T00:00:00Z';

export const is = (type: string, status: 'True' | 'False' = 'True', reason = type) => ({
  ...{ type, status, reason, message: '', lastTransitionTime: START },
});

const CLUSTER_CONDITIONS = [
  'ControlPlaneInitialized',
  'RemoteConnectionProbe',
  'InfrastructureReady',
  'ControlPlaneAvailable',
];

/** A change of an object that merges its status. */
export const withStatus =
  (status: object) =>
  <T extends KubeObject & { status?: object }>(current: T): T => ({
    ...current,
    status: { ...current.status, ...status },
  });

/** A change of an object that adds annotations. */
export const annotated =
  (annotations: Readonly<Record<string, string>>) =>
  <T extends KubeObject>(current: T): T => ({
    ...current,
    metadata: { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } },
  });

/** Changes to the example's objects in a world, and the wait of its next pass. */
export const settledCluster = (w: World, input: ConvergeInput) => {
  const change = <T extends KubeObject>(resource: ResourceDefinition<T>, name: string, to: (current: T) => T) =>
    w.objects.mutate(resource, { namespace: 'default', name }, to);
  const machines = (): Promise<Machine[]> => w.objects.listOfCluster(kinds.machine, 'default', 'quickstart');
  const setCluster = (available: 'True' | 'False') =>
    change(
      kinds.cluster,
      'quickstart',
      withStatus({ conditions: [...CLUSTER_CONDITIONS.map((type) => is(type)), is('Available', available)] }),
    );
  /** Every machine runs and is Ready. Those that are not `waiting` are Available, and so are their owners. */
  const settle = async (waiting?: string): Promise<void> => {
    for (const { metadata } of await machines()) {
      const available = is('Available', metadata.name === waiting ? 'False' : 'True');
      const conditions = [is('NodeReady'), is('Ready'), available];
      await change(kinds.machine, metadata.name, withStatus({ phase: 'Running', conditions }));
    }
    const counts = { replicas: 3, readyReplicas: 3, availableReplicas: 3, upToDateReplicas: 3 };
    for (const resource of [kinds.kubeadmControlPlane, kinds.machineDeployment] as readonly ResourceDefinition[])
      for (const { metadata } of await w.objects.listOfCluster(resource, 'default', 'quickstart'))
        await change(resource, metadata.name, withStatus({ ...counts, conditions: [is('Available')] }));
    await setCluster('True');
  };
  /** The seconds until the next pass. */
  const finish = async (): Promise<number> => {
    await w.work.begin(input.cluster, input.holder, 60);
    return (await w.steps.finish(input, context)).waitSeconds;
  };
  return { change, machines, setCluster, settle, finish };
};

export type SettledCluster = ReturnType<typeof settledCluster>;

/** The example after its first pass. */
export const beginSettled = async (w: World): Promise<{ input: ConvergeInput; its: SettledCluster }> => {
  const input = await beginCluster(w);
  await pass(w, input);
  return { input, its: settledCluster(w, input) };
};
