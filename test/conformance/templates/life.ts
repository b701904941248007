import { ApiError } from '../../../infra/cli/api/client.ts';
import { collectionPath, makeFindResource } from '../../../infra/cli/api/resources.ts';
import type { Cluster, ClusterResourceSet, Event, Machine, MachinePool } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { conditionOf, type TestLaptop } from '../../end-to-end/laptop.ts';
import { pathOf, waited } from './look.ts';
import { upgrade } from './upgrade.ts';

/** The result of a template: as expected until its deletion, refused, or stuck. */
export type Outcome =
  | 'up'
  | 'upgraded'
  | 'no boot'
  | { refused: string[] }
  | { stuck: string; circumstances: string[] };

/** Creates the objects as clusterctl does. Returns the refusals. */
const create = async ({ api }: TestLaptop, namespace: string, objects: readonly KubeObject[]): Promise<string[]> => {
  const findResource = makeFindResource(api);
  const refused: string[] = [];
  for (const object of objects) {
    const resource = await findResource(object);
    if (!resource) {
      refused.push(`no matches for kind "${object.kind}" in version "${object.apiVersion}"`);
      continue;
    }
    const metadata = { ...object.metadata, ...(resource.namespaced ? { namespace } : {}) };
    try {
      await api.send('POST', collectionPath(resource, namespace), { ...object, metadata });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Identities are cluster-scoped, so another template may already have created the same one.
      if (resource.namespaced || error.status.code !== 409) refused.push(error.status.message ?? error.message);
    }
  }
  return refused;
};

/** The ids of the machines' instances. */
const idsOf = (machines: readonly Machine[]): string[] =>
  machines.flatMap(({ spec }) => spec.providerID?.split('/').at(-1) ?? []);

const isTrue = (object: Parameters<typeof conditionOf>[0], type: string): boolean =>
  conditionOf(object, type)?.status === 'True';

const CORE = 'cluster.x-k8s.io';

const clustersIn = (laptop: TestLaptop, namespace: string) => laptop.list<Cluster>(pathOf(CORE, namespace, 'clusters'));

/** What a cluster still lacks; undefined if it is Available, its machines are running, and its add-ons are applied. */
const lackOf = async (laptop: TestLaptop, namespace: string): Promise<string | undefined> => {
  const [cluster] = await clustersIn(laptop, namespace);
  if (!isTrue(cluster, 'Available')) return `Cluster: ${conditionOf(cluster, 'Available')?.message}`;
  const machines = await laptop.list<Machine>(pathOf(CORE, namespace, 'machines'));
  const waiting = machines.filter(({ status }) => status?.phase !== 'Running');
  if (waiting.length > 0) return `Machines: ${waiting.map((one) => conditionOf(one, 'Ready')?.message).join('; ')}`;
  const pools = await laptop.list<MachinePool>(pathOf(CORE, namespace, 'machinepools'));
  const growing = pools.filter(({ status }) => status?.phase !== 'Running');
  if (growing.length > 0) return `MachinePools: ${growing.map(({ status }) => status?.phase).join()}`;
  const sets = await laptop.list<ClusterResourceSet>(
    pathOf('addons.cluster.x-k8s.io', namespace, 'clusterresourcesets'),
  );
  const unapplied = sets.filter((set) => !isTrue(set, 'ResourcesApplied'));
  if (unapplied.length === 0) return undefined;
  return `add-ons: ${unapplied.map((set) => conditionOf(set, 'ResourcesApplied')?.message).join('; ')}`;
};

const stays = async (laptop: TestLaptop, namespace: string): Promise<string | undefined> => {
  const [cluster] = await clustersIn(laptop, namespace);
  return cluster && `deletion: ${conditionOf(cluster, 'Deleting')?.message}`;
};

/** What a user would check if a cluster is stuck: warnings, and the last output of its machines. */
const circumstancesOf = async (laptop: TestLaptop, namespace: string): Promise<string[]> => {
  const events = await laptop.list<Event>(`/api/v1/namespaces/${namespace}/events`);
  const warnings = events.filter(({ type }) => type === 'Warning');
  const machines = await laptop.list<Machine>(pathOf(CORE, namespace, 'machines'));
  return [
    ...warnings.map(({ involvedObject, message }) => `${involvedObject?.kind} ${involvedObject?.name}: ${message}`),
    ...machines.map((machine) => `Machine ${machine.metadata.name}: ${conditionOf(machine, 'Deleting')?.message}`),
    ...idsOf(machines).flatMap((id) =>
      laptop
        .console(id)
        .slice(-5)
        .map((line) => `${id}: ${line}`),
    ),
  ];
};

/** What a cluster still lacks; undefined as soon as one of its machines has printed `says` during its boot. */
const silenceOf = async (laptop: TestLaptop, namespace: string, says: string): Promise<string | undefined> => {
  const machines = await laptop.list<Machine>(pathOf(CORE, namespace, 'machines'));
  const lines = idsOf(machines).flatMap((id) => laptop.console(id));
  return lines.some((line) => line.includes(says)) ? undefined : `no machine says it: ${lines.slice(-3).join('; ')}`;
};

export interface Expected {
  /** The output that is expected of a machine that cannot become a node. */
  says?: string | undefined;
  /** The version to which the running cluster is upgraded. */
  version?: string | undefined;
}

/**
 * Waits until the cluster has reached its final state before its deletion. Returns what it still lacks after the time
 * limit.
 */
const bringUp = async (
  laptop: TestLaptop,
  namespace: string,
  { says, version }: Expected,
): Promise<string | undefined> => {
  if (says !== undefined) return waited(() => silenceOf(laptop, namespace, says));
  const up = () => waited(() => lackOf(laptop, namespace));
  const lack = await up();
  if (lack !== undefined || version === undefined) return lack;
  return (await upgrade(laptop, namespace, version)) ?? up();
};

const deleteClusters = async (laptop: TestLaptop, namespace: string): Promise<string | undefined> => {
  for (const { metadata } of await clustersIn(laptop, namespace)) {
    await laptop.api.send('DELETE', `${pathOf(CORE, namespace, 'clusters')}/${metadata.name}`);
  }
  return waited(() => stays(laptop, namespace));
};

/**
 * Runs a template in its own namespace: creates its objects, waits until its cluster is up and upgrades it (or waits
 * until its machines print the expected output), and deletes it.
 */
export const live = async (
  laptop: TestLaptop,
  namespace: string,
  objects: readonly KubeObject[],
  expected: Expected = {},
): Promise<Outcome> => {
  await laptop.api.send('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  const refused = await create(laptop, namespace, objects);
  if (refused.length > 0) return { refused };
  const stuck = (await bringUp(laptop, namespace, expected)) ?? (await deleteClusters(laptop, namespace));
  if (stuck !== undefined) return { stuck, circumstances: await circumstancesOf(laptop, namespace) };
  if (expected.says !== undefined) return 'no boot';
  return expected.version === undefined ? 'up' : 'upgraded';
};
