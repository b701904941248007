/** For tests: the cluster of examples/clusterclass.yaml in memory. */
import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { CallExtension } from '../../../shared/extensions/transport.ts';
import type { AWSMachineTemplate } from '../../../shared/kinds/aws-machine-template/schema.ts';
import type { Topology } from '../../../shared/kinds/cluster/schema.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { type Cluster, kinds, type Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { joinConfigurationClaim } from '../../../shared/plan/control-plane/upgrade-tasks.ts';
import { withConditions } from '../../../shared/plan/status/conditions.ts';
import type { TestDatabase } from '../../../shared/store/test-table.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { applyCluster, context, makeInfrastructureReady, makeWorld, type World } from '../objects/test-world.ts';

const at = (name: string) => ({ namespace: 'default', name });

/** The objects of the example, except those of the kinds in `without`. */
const example = async (without: readonly string[]): Promise<KubeObject[]> => {
  const documents = parseAllDocuments(await readFile('examples/clusterclass.yaml', 'utf8'));
  const objects = documents.map((document): KubeObject => {
    const object = document.toJS() as KubeObject;
    return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
  });
  return objects.filter(({ kind }) => !without.includes(kind));
};

const applyWithoutCluster = async (world: World, wanted: readonly KubeObject[]): Promise<ConvergeInput> => {
  for (const object of wanted) await world.apply(object);
  return { cluster: { ...at('managed'), uid: '' }, wanted: 1, holder: 'test' };
};

const CONDITIONS = ['Available', 'Ready', 'NodeHealthy', 'NodeReady', 'BootstrapConfigReady', 'InfrastructureReady'];

/** A machine whose node exists and is healthy. */
const running = (machine: Machine): Machine => {
  const types = [...CONDITIONS, ...(machine.spec.readinessGates ?? []).map(({ conditionType }) => conditionType)];
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [...new Set(types)].map((type) => ({
    type,
    status: 'True' as const,
    reason: 'Test',
    message: '',
    lastTransitionTime,
  }));
  return { ...machine, status: { nodeRef: { name: machine.metadata.name }, phase: 'Running', conditions } };
};

/** `callExtension` answers for the extensions, if there are any. */
export const makeManagedCluster = async (
  database: TestDatabase,
  without: readonly string[] = [],
  callExtension?: CallExtension,
) => {
  const world = await makeWorld(database, undefined, callExtension ? { callExtension } : {});
  const wanted = await example(without);
  const { input } = wanted.some(({ kind }) => kind === 'Cluster')
    ? await applyCluster(world, wanted)
    : { input: await applyWithoutCluster(world, wanted) };
  const { objects } = world;
  const cluster = async (): Promise<Cluster> => (await objects.get(kinds.cluster, at('managed'))) as Cluster;
  const listed = <T extends KubeObject>(resource: ResourceDefinition<T>): Promise<T[]> =>
    objects.listOfCluster(resource, 'default', 'managed');
  const { steps, clock } = world;
  /** Creates and starts the machines of the control plane and of the workers, and lets all objects report it. */
  const becomeReady = async (): Promise<void> => {
    await steps.begin(input, context);
    await makeInfrastructureReady(objects, (await cluster()).spec.infrastructureRef?.name);
    await steps.controlPlane(input, context);
    await steps.workers(input, context);
    for (const { metadata } of await listed<Machine>(kinds.machine)) {
      await objects.mutate(kinds.machine, at(metadata.name), running);
    }
    for (const { metadata } of await listed(kinds.kubeadmControlPlane)) {
      await objects.mutate(kinds.kubeadmControlPlane, at(metadata.name), (owner) => ({
        ...owner,
        status: {
          ...owner.status,
          initialization: { controlPlaneInitialized: true },
          conditions: withConditions(owner.status?.conditions, [joinConfigurationClaim(owner)], 1, clock.now()),
        },
      }));
    }
    await steps.report(input, context);
    await steps.report(input, context);
  };
  return {
    ...world,
    input,
    cluster,
    listed,
    becomeReady,
    add: async (kind: string) => {
      const others = (await example([])).filter((object) => object.kind === kind);
      for (const object of others) await world.apply(object);
    },
    begin: () => world.steps.begin(input, context),
    condition: async () => {
      const found = (await cluster()).status?.conditions?.find(({ type }) => type === 'TopologyReconciled');
      return found && { status: found.status, reason: found.reason, message: found.message };
    },
    change: (change: (topology: Topology) => Topology) =>
      objects.mutate(kinds.cluster, at('managed'), ({ spec, ...rest }) => ({
        ...rest,
        spec: { ...spec, topology: change(spec.topology as Topology) },
      })),
    changeClass: (change: (spec: ClusterClass['spec']) => ClusterClass['spec']) =>
      objects.mutate(kinds.clusterClass, at('aws-small'), (found) => ({ ...found, spec: change(found.spec) })),
    /** Lets the control plane report its version: groups of workers that are added later wait for it. */
    provision: async (version = 'v1.34.0') => {
      for (const { metadata } of await listed(kinds.kubeadmControlPlane)) {
        await objects.mutate(kinds.kubeadmControlPlane, at(metadata.name), (found) => ({
          ...found,
          status: { ...found.status, version },
        }));
      }
    },
    templates: () => listed<AWSMachineTemplate>(kinds.awsMachineTemplate),
    events: async () =>
      (await objects.list(kinds.event, 'default')).map(({ reason, message }) => `${reason}: ${message}`),
  };
};

export type ManagedCluster = Awaited<ReturnType<typeof makeManagedCluster>>;

/** A topology with another value of a variable. */
export const withVariable =
  (name: string, value: unknown) =>
  (topology: Topology): Topology => ({
    ...topology,
    variables: [...(topology.variables ?? []).filter((it) => it.name !== name), { name, value }],
  });
