/** Measures a change of a ClusterClass that many clusters use: the topology part of one pass over each of them. */
import { join } from 'node:path';
import { reconcileTopology } from '../../../functions/cluster/topology/reconcile.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { ClusterClass } from '../../../shared/kinds/cluster-class/schema.ts';
import { type Cluster, KINDS, kinds } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { createRegistry } from '../../../shared/kube-api/registry/create-registry.ts';
import { ensureNamespaces } from '../../../shared/kube-api/registry/namespaces.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../../shared/kube-api/storage/object-client.ts';
import { systemRandom } from '../../../shared/random.ts';
import { createMemoryRecords } from '../../../shared/store/records/memory-records.ts';
import { withMemory } from '../../../shared/store/records/remembering-client.ts';
import { readManifests } from '../apply/manifest.ts';
import { ROOT } from '../paths.ts';

const CLUSTERS = 500;
const NAMESPACE = 'default';

export interface TopologyFigures {
  clusters: number;
  /** For all clusters together: to create their objects, to change them, and to find them unchanged. */
  createSeconds: number;
  changeSeconds: number;
  unchangedSeconds: number;
}

const makeObjects = async (): Promise<ObjectClient> => {
  const options = { resources: KINDS, storage: createMemoryStorage(), clock: systemClock, random: systemRandom };
  const registry = createRegistry(options);
  await ensureNamespaces(registry);
  return withMemory(createObjectClient(registry), createMemoryRecords());
};

const create = async (objects: ObjectClient, given: KubeObject): Promise<void> => {
  const resource = KINDS.find(({ kind }) => kind === given.kind);
  if (!resource) throw new Error(`${given.kind} is not served`);
  await objects.ensure(resource, { ...given, metadata: { ...given.metadata, namespace: NAMESPACE } });
};

const nameOf = (number: number): string => `managed-${number}`;

/** Creates the class of the example with its templates, and many clusters of the class. */
const fill = async (objects: ObjectClient): Promise<void> => {
  for (const { object } of readManifests(join(ROOT, 'examples', 'clusterclass.yaml'))) {
    const copies = object.kind === 'Cluster' ? Array.from({ length: CLUSTERS }, (_, at) => nameOf(at)) : [undefined];
    for (const name of copies) {
      const metadata = name === undefined ? object.metadata : { ...object.metadata, name };
      await create(objects, { ...object, metadata });
    }
  }
};

const secondsOf = async (objects: ObjectClient): Promise<number> => {
  const begun = performance.now();
  for (let number = 0; number < CLUSTERS; number += 1) {
    const key = { namespace: NAMESPACE, name: nameOf(number) };
    const cluster = (await objects.get(kinds.cluster, key)) as Cluster;
    await reconcileTopology({ objects, clock: systemClock }, cluster);
  }
  return Math.round(performance.now() - begun) / 1000;
};

/** Sets another instance type for the control plane's machines; the topologies do not set this variable. */
const changeClass = ({ spec, ...rest }: ClusterClass): ClusterClass => ({
  ...rest,
  spec: {
    ...spec,
    patches: spec.patches?.map((patch) => {
      if (patch.name !== 'controlPlaneInstanceType') return patch;
      const definitions = patch.definitions?.map((definition) => ({
        ...definition,
        jsonPatches: definition.jsonPatches.map(({ op, path }) => ({ op, path, value: 'm5.large' })),
      }));
      return { ...patch, ...(definitions ? { definitions } : {}) };
    }),
  },
});

/** Measures in this process with objects in memory, so that only the time of Windlass's code counts. */
export const measureTopology = async (): Promise<TopologyFigures> => {
  const objects = await makeObjects();
  await fill(objects);
  const createSeconds = await secondsOf(objects);
  await objects.mutate(kinds.clusterClass, { namespace: NAMESPACE, name: 'aws-small' }, changeClass);
  const changeSeconds = await secondsOf(objects);
  return { clusters: CLUSTERS, createSeconds, changeSeconds, unchangedSeconds: await secondsOf(objects) };
};

/** The figures as a readable table. */
export const tableOfTopology = (figures: TopologyFigures): string => {
  const { clusters } = figures;
  const line = (title: string, seconds: number): string => {
    const each = `${((seconds * 1000) / clusters).toFixed(1)} ms each`;
    return `${title.padEnd(52)}${`${seconds.toFixed(1)} s`.padStart(10)}${each.padStart(16)}`;
  };
  return [
    line(`create the objects of ${clusters} clusters of a class`, figures.createSeconds),
    line('carry out a change of the class in all of them', figures.changeSeconds),
    line('find that nothing is to be done', figures.unchangedSeconds),
  ].join('\n');
};
