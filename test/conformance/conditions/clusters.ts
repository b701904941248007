/** Creates the same cluster on both sides, and checks whether it has reached a state. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, parseAllDocuments } from 'yaml';
import type { Api } from '../../../infra/cli/api/client.ts';
import { openContext } from '../../../infra/cli/api/kubeconfig-client.ts';
import { collectionPath, makeFindResource } from '../../../infra/cli/api/resources.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Conditions, conditionsOf, type Provider, readObjects, statusesOf } from './conditions.ts';

export const NAMESPACE = 'default';

/**
 * The manifests of the cluster. The core objects refer to AWS's kinds here, and upstream to those of the in-memory
 * infrastructure, which needs no account.
 */
const objectsOf = (provider: Provider): KubeObject[] =>
  [`${provider.toLowerCase()}.yaml`, 'cluster.yaml'].flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const documents = parseAllDocuments(text.replaceAll(/\bAWS(?=Cluster|Machine)/g, provider)) as Document[];
    return documents.map((document) => document.toJS() as KubeObject);
  });

/**
 * Creates the objects of the cluster, except for the kinds in `without`. Rejects with ApiError if an object is refused.
 */
export const createCluster = async (
  api: Api,
  provider: Provider,
  without: readonly string[] = [],
  change = (object: KubeObject): KubeObject => object,
  namespace = NAMESPACE,
): Promise<void> => {
  const findResource = makeFindResource(api);
  const wanted = objectsOf(provider).filter(({ kind }) => !without.includes(kind));
  for (const object of wanted.map(change)) {
    const resource = await findResource(object);
    if (!resource) throw new Error(`${object.kind} is not served`);
    const metadata = { ...object.metadata, namespace };
    await api.send('POST', collectionPath(resource, namespace), { ...object, metadata });
  }
};

/** The number of machines in cluster.yaml, and the conditions that are False on a healthy object. */
const COUNT = 5;
const NEGATIVE = /^(RollingOut|Remediating|ScalingUp|ScalingDown|Updating|Paused|Deleting)$/;

/** Returns what the conditions and machines lack to reach a state; undefined if they have reached it. */
export type Judge = (conditions: Conditions, machines: readonly KubeObject[]) => string | undefined;

/** What the cluster lacks to be healthy. */
export const lackOfHealth: Judge = (conditions, machines) => {
  if (machines.length < COUNT) return `${machines.length} machines`;
  for (const [subject, types] of conditions) {
    for (const [type, texts] of types) {
      const healthy = NEGATIVE.test(type) ? 'False' : 'True';
      const lacking = texts.find((text) => !text.startsWith(healthy));
      if (lacking !== undefined) return `${subject}: ${type} ${lacking}`;
    }
    if (!types.size) return `${subject}: no conditions`;
  }
  return undefined;
};

/** The compared data of a namespace at one moment. */
export interface Seen {
  conditions: Conditions;
  /** The other fields of the statuses. */
  statuses: Conditions;
  /** What `judge` finds missing; undefined if nothing is missing. */
  lack: string | undefined;
}

export const readSeen = async (api: Api, provider: Provider, judge: Judge, namespace: string): Promise<Seen> => {
  const objects = await readObjects(api, namespace);
  const conditions = conditionsOf(objects, provider);
  return { conditions, statuses: statusesOf(objects, provider), lack: judge(conditions, objects.Machine) };
};

/** Connects to the API of the workload cluster. */
const workloadOf = async (api: Api): Promise<Api> => {
  const path = `/api/v1/namespaces/${NAMESPACE}/secrets/healthy-kubeconfig`;
  const { data } = await api.send<{ data: { value: string } }>('GET', path);
  const home = mkdtempSync(join(tmpdir(), 'windlass-conditions-'));
  try {
    const file = join(home, 'kubeconfig');
    writeFileSync(file, Buffer.from(data.value, 'base64'), { mode: 0o600 });
    return openContext({ kubeconfig: file }).api;
  } finally {
    rmSync(home, { recursive: true });
  }
};

export const MERGE = 'application/merge-patch+json';

/** `name` is the plural of a kind, optionally followed by the name of an object. */
export const pathOf = (group: string, name: string): string => `/apis/${group}/v1beta2/namespaces/${NAMESPACE}/${name}`;

export const CLUSTER = pathOf('cluster.x-k8s.io', 'clusters/healthy');
export const MACHINES = pathOf('cluster.x-k8s.io', 'machines');
export const OWNER = pathOf('controlplane.cluster.x-k8s.io', 'kubeadmcontrolplanes/healthy-control-plane');

export const isWorker = ({ metadata }: KubeObject): boolean =>
  !('cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}));

export const listMachines = async (api: Api): Promise<Machine[]> =>
  (await api.send<{ items: Machine[] }>('GET', MACHINES)).items;

/** The first control plane machine in the list. */
export const controlPlaneMachine = async (api: Api): Promise<Machine> => {
  const machine = (await listMachines(api)).find((one) => !isWorker(one));
  if (!machine) throw new Error('there is no control plane machine');
  return machine;
};

const annotate = (api: Api, path: string, annotations: Record<string, string | null>) =>
  api.send('PATCH', path, { metadata: { annotations } }, MERGE);

/** Runs `work` in the workload cluster, then triggers a reconciliation of the control plane. */
export const inWorkload = async <T>(api: Api, work: (workload: Api) => Promise<T>): Promise<T> => {
  const workload = await workloadOf(api);
  try {
    return await work(workload);
  } finally {
    workload.close();
    await annotate(api, OWNER, { 'example.com/touched': `${Date.now()}` });
  }
};

export const nodePath = ({ status }: Machine): string => `/api/v1/nodes/${status?.nodeRef?.name}`;

/** Removes all taints from the node of one control plane machine. */
export const removeTaints = async (api: Api): Promise<void> => {
  const path = nodePath(await controlPlaneMachine(api));
  await inWorkload(api, (workload) => workload.send('PATCH', path, { spec: { taints: null } }, MERGE));
};

/** Ignores the error of an empty response, which the API server of upstream's in-memory infrastructure returns. */
export const isEmpty = (error: unknown): void => {
  if (!(error instanceof SyntaxError)) throw error;
};

/**
 * If `isPaused`, stops upstream's in-memory infrastructure from recreating what is deleted from the workload cluster;
 * otherwise, resumes it.
 */
export const pauseInfrastructure = async (
  api: Api,
  provider: Provider,
  { spec }: Machine,
  isPaused: boolean,
): Promise<void> => {
  const path = pathOf('infrastructure.cluster.x-k8s.io', `devmachines/${spec.infrastructureRef.name}`);
  if (provider === 'Dev') await annotate(api, path, { 'cluster.x-k8s.io/paused': isPaused ? '' : null });
};
