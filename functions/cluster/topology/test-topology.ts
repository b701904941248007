/** For tests: the cluster of examples/clusterclass.yaml in memory. */
import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { CallExtension } from '../../../shared/extensions/transport.ts';
import type { AWSMachineTemplate } from '../../../shared/kinds/aws-machine-template/schema.ts';
import type { Topology } from '../../../shared/kinds/cluster/schema.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { type Cluster, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import type { TestDatabase } from '../../../shared/store/test-table.ts';
import { applyCluster, context, makeWorld } from '../objects/test-world.ts';

const at = (name: string) => ({ namespace: 'default', name });

/** The objects of the example; `without`: kinds that are left out. */
const example = async (without: readonly string[]): Promise<KubeObject[]> => {
  const documents = parseAllDocuments(await readFile('examples/clusterclass.yaml', 'utf8'));
  const objects = documents.map((document): KubeObject => {
    const object = document.toJS() as KubeObject;
    return { ...object, metadata: { ...object.metadata, namespace: 'default' } };
  });
  return objects.filter(({ kind }) => !without.includes(kind));
};

/** `callExtension` answers for extensions, if there are any. */
export const makeManagedCluster = async (
  database: TestDatabase,
  without: readonly string[] = [],
  callExtension?: CallExtension,
) => {
  const world = await makeWorld(database, undefined, callExtension ? { callExtension } : {});
  const { input } = await applyCluster(world, await example(without));
  const { objects } = world;
  const cluster = async (): Promise<Cluster> => (await objects.get(kinds.cluster, at('managed'))) as Cluster;
  const listed = <T extends KubeObject>(resource: ResourceDefinition<T>): Promise<T[]> =>
    objects.listOfCluster(resource, 'default', 'managed');
  return {
    ...world,
    input,
    cluster,
    listed,
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
    /** The control plane reports its version: groups of workers that come later wait for it. */
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
