/** Creates the same cluster on both sides, and waits until it is healthy. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, parseAllDocuments } from 'yaml';
import type { Api } from '../../../infra/cli/api/client.ts';
import { openContext } from '../../../infra/cli/api/kubeconfig-client.ts';
import { collectionPath, makeFindResource } from '../../../infra/cli/api/resources.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { type Conditions, type Provider, readConditions } from './conditions.ts';

const NAMESPACE = 'default';
const LOOK_MILLISECONDS = 1000;

/** The objects of the core refer to AWS's kinds; upstream they refer to those that need no account. */
const objectsOf = (provider: Provider): KubeObject[] =>
  [`${provider.toLowerCase()}.yaml`, 'cluster.yaml'].flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const documents = parseAllDocuments(text.replaceAll(/\bAWS(?=Cluster|Machine)/g, provider)) as Document[];
    return documents.map((document) => document.toJS() as KubeObject);
  });

/** Creates the objects of the cluster, except those of the kinds `without`. Rejects with ApiError if one is refused. */
export const createCluster = async (
  api: Api,
  provider: Provider,
  without: readonly string[] = [],
  change = (object: KubeObject): KubeObject => object,
): Promise<void> => {
  const findResource = makeFindResource(api);
  const wanted = objectsOf(provider).filter(({ kind }) => !without.includes(kind));
  for (const object of wanted.map(change)) {
    const resource = await findResource(object);
    if (!resource) throw new Error(`${object.kind} is not served`);
    const metadata = { ...object.metadata, namespace: NAMESPACE };
    await api.send('POST', collectionPath(resource, NAMESPACE), { ...object, metadata });
  }
};

/** The machines of cluster.yaml, and the conditions that may have another status than True on a healthy object. */
const MACHINES = 5;
const NEGATIVE = /^(RollingOut|Remediating|ScalingUp|ScalingDown|Updating|Paused|Deleting)$/;

/** What is missing in a set of conditions; undefined if nothing is. */
export type Judge = (conditions: Conditions, machines: readonly KubeObject[]) => string | undefined;

/** What the cluster lacks to be healthy. */
export const lackOfHealth: Judge = (conditions, machines) => {
  if (machines.length < MACHINES) return `${machines.length} machines`;
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

/** Reads until `judge` finds nothing missing; rejects with the last finding if that takes too long. */
export const untilConditions = async (api: Api, provider: Provider, judge: Judge): Promise<Conditions> => {
  const deadline = Date.now() + PATIENCE_SECONDS * 1000;
  const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${NAMESPACE}/machines`;
  for (;;) {
    const { items } = await api.send<{ items: KubeObject[] }>('GET', path);
    const conditions = await readConditions(api, provider);
    const lack = judge(conditions, items);
    if (lack === undefined) return conditions;
    if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_SECONDS} s, ${provider}: ${lack}`);
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

/** The workload cluster's own API. */
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

const MERGE = 'application/merge-patch+json';

const [MACHINES_PATH, CONTROL, INFRASTRUCTURE] = [
  'cluster.x-k8s.io/v1beta2',
  'controlplane.cluster.x-k8s.io/v1beta2',
  'infrastructure.cluster.x-k8s.io/v1beta2',
].map((group) => `/apis/${group}/namespaces/${NAMESPACE}`);

/** The first control plane machine in the list. */
const controlPlaneMachine = async (api: Api): Promise<Machine> => {
  const { items } = await api.send<{ items: Machine[] }>('GET', `${MACHINES_PATH}/machines`);
  const machine = items.find(({ metadata }) => 'cluster.x-k8s.io/control-plane' in (metadata.labels ?? {}));
  if (!machine) throw new Error('there is no control plane machine');
  return machine;
};

const annotate = (api: Api, path: string | undefined, annotations: Record<string, string>) =>
  api.send('PATCH', path ?? '', { metadata: { annotations } }, MERGE);

/** Changes a node in the workload cluster, and requests a pass over the control plane. */
const changeNode = async (api: Api, change: (workload: Api) => Promise<unknown>): Promise<void> => {
  const workload = await workloadOf(api);
  await change(workload);
  workload.close();
  await annotate(api, `${CONTROL}/kubeadmcontrolplanes/healthy-control-plane`, {
    'example.com/touched': `${Date.now()}`,
  });
};

const nodePath = ({ status }: Machine): string => `/api/v1/nodes/${status?.nodeRef?.name}`;

/** Removes all taints from the node of one control plane machine. */
export const removeTaints = async (api: Api): Promise<void> => {
  const path = nodePath(await controlPlaneMachine(api));
  await changeNode(api, (workload) => workload.send('PATCH', path, { spec: { taints: null } }, MERGE));
};

/** Deletes the node of one control plane machine, which upstream's infrastructure in memory would create again. */
export const deleteNode = async (api: Api, provider: Provider): Promise<void> => {
  const machine = await controlPlaneMachine(api);
  const infrastructure = `${INFRASTRUCTURE}/devmachines/${machine.spec.infrastructureRef.name}`;
  if (provider === 'Dev') await annotate(api, infrastructure, { 'cluster.x-k8s.io/paused': '' });
  // The API server of that infrastructure answers without a body.
  const isEmpty = (error: unknown): void => {
    if (!(error instanceof SyntaxError)) throw error;
  };
  await changeNode(api, (workload) => workload.send('DELETE', nodePath(machine)).catch(isEmpty));
};
