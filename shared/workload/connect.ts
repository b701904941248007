import { ConflictError } from '../errors.ts';
import { isObject } from '../kube-api/json.ts';
import { formatTime } from '../kube-api/object.ts';
import { isCloudController } from '../plan/machines/cloud-controller.ts';
import type { NodeCondition, NodePatch } from '../plan/machines/node-patch.ts';
import { readAccess, type WorkloadAccess, type WorkloadTarget } from './access.ts';
import type { Reach, Resolve } from './addresses.ts';
import { ask, demand, listAt, parsed, refusal, type Send, textOf } from './answers.ts';
import { anyObjects } from './any-object.ts';
import {
  type CommandResult,
  type ConnectWorkload,
  type PodCommand,
  type TokenSecret,
  type WorkloadClient,
  WorkloadRefusedError,
  WorkloadUnreachableError,
} from './client.ts';
import { drainApi } from './drain-api.ts';
import { execute } from './exec.ts';
import { KubeconfigRefusedError } from './kubeconfig.ts';
import { toNode, toPod } from './nodes.ts';
import { servicesApi } from './services-api.ts';
import { openTransport, type SocketOptions, socketOptions, type Transport } from './transport.ts';

/** Where a cloud controller manager runs: as a DaemonSet or Deployment in any namespace, or as a static pod. */
const PLACES = [
  ['DaemonSet', '/apis/apps/v1/daemonsets'],
  ['Deployment', '/apis/apps/v1/deployments'],
  ['Pod', '/api/v1/namespaces/kube-system/pods'],
] as const;

const MAX_NAME = 600;

/** The kind and name of the workload that runs a cloud controller manager. */
const findCloudController = async (send: Send): Promise<string | undefined> => {
  const lists = await Promise.all(
    PLACES.map(async ([kind, path]) => {
      const found = (await listAt(send, path)).find((item) => isCloudController(item, kind));
      const metadata = isObject(found?.metadata) ? found.metadata : undefined;
      return metadata && `${kind} ${textOf(metadata.namespace)}/${textOf(metadata.name)}`.slice(0, MAX_NAME);
    }),
  );
  return lists.find((name) => name !== undefined);
};

export interface ConnectOptions {
  /** Returns the signal that ends one request; entry points pass `() => AbortSignal.timeout(…)`. */
  deadline: () => AbortSignal;
  /** The same for a command in a container, which may have to wait for others. The default is `deadline`. */
  commandDeadline?: () => AbortSignal;
  /**
   * The same for all requests of a client, beginning with the first one: lists have many pages. By default there is no
   * limit.
   */
  lifetime?: () => AbortSignal;
  /** Where clusters may be. */
  reach: Reach;
  /** For tests: the resolver of names. */
  resolve?: Resolve;
}

const SYSTEM = '/api/v1/namespaces/kube-system';
const MERGE_PATCH = 'application/merge-patch+json';
/** Replaces one member of a list, which its key identifies. */
const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
const JSON_TYPE = 'application/json';

/** How a client talks to its API server. */
export interface Connection {
  send: Send;
  run(command: PodCommand): Promise<CommandResult>;
  close(): Promise<void>;
}

interface Opened {
  access: WorkloadAccess;
  sockets: SocketOptions;
  transport: Transport;
  /** Combines a signal with the end of the client's lifetime. */
  within(signal: AbortSignal): AbortSignal;
}

const open = (target: WorkloadTarget, { deadline, lifetime, reach, resolve }: ConnectOptions): Opened => {
  const access = accessOf(target, reach);
  const sockets = socketOptions(access, reach, resolve);
  const life = lifetime?.();
  const within = (signal: AbortSignal) => (life ? AbortSignal.any([signal, life]) : signal);
  return { access, sockets, within, transport: openTransport(access, sockets, () => within(deadline())) };
};

/** For users of a client, an unusable kubeconfig is an unreachable cluster. */
const accessOf = (target: WorkloadTarget, reach: Reach): WorkloadAccess => {
  try {
    return readAccess(target, reach);
  } catch (error) {
    if (!(error instanceof KubeconfigRefusedError)) throw error;
    throw new WorkloadUnreachableError(`the kubeconfig in ${target.source} cannot be used: ${error.message}`);
  }
};

/** Opened by the first request, so that an error in the kubeconfig is reported like others. */
const connectionOf = (target: WorkloadTarget, options: ConnectOptions): Connection => {
  const { deadline, commandDeadline = deadline } = options;
  let opened: Opened | undefined;
  let failure: { error: unknown } | undefined;
  const use = (): Opened => {
    // The same kubeconfig fails again, so it is read once and not for each request.
    if (failure) throw failure.error;
    try {
      opened ??= open(target, options);
      return opened;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  return {
    send: async (request) => use().transport.send(request),
    run: async (command) => {
      const { access, sockets, within } = use();
      return execute(access, sockets, command, within(commandDeadline()));
    },
    close: async () => opened?.transport.close(),
  };
};

/** In the form of a merge patch. */
const nodeBody = (patch: NodePatch): object => ({
  metadata: { resourceVersion: patch.resourceVersion, labels: patch.labels, annotations: patch.annotations },
  ...(patch.taints || patch.providerID ? { spec: { taints: patch.taints, providerID: patch.providerID } } : {}),
});

const nodePath = (name: string): string => `/api/v1/nodes/${encodeURIComponent(name)}`;
const systemPath = (plural: 'configmaps' | 'secrets' | 'pods', name = ''): string =>
  `${SYSTEM}/${plural}${name && `/${encodeURIComponent(name)}`}`;

const merge = (value: object) => ({ type: MERGE_PATCH, value });

const putToken = async (send: Send, { metadata: { name }, type, data }: TokenSecret): Promise<void> => {
  const value = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'kube-system' }, type, data };
  const created = await ask(send, { method: 'POST', path: systemPath('secrets'), body: { type: JSON_TYPE, value } });
  if (created.code < 300) return;
  if (created.code !== 409) throw refusal(created.code, created.text);
  await demand(send, { method: 'PATCH', path: systemPath('secrets', name), body: merge({ data }) });
};

/** The object at a path; undefined if it does not exist. */
const found = async (send: Send, path: string): Promise<Record<string, unknown> | undefined> => {
  const { code, text } = await ask(send, { method: 'GET', path });
  if (code === 404) return undefined;
  if (code !== 200) throw refusal(code, text);
  return parsed(text);
};

const textsOf = (value: unknown): Record<string, string> =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, textOf(text)])) : {};

const decoded = (data: unknown, key: string): string =>
  Buffer.from(textsOf(data)[key] ?? '', 'base64').toString('utf8');

const tokenExpiry = async (send: Send, name: string): Promise<Date | undefined> => {
  const expiration = decoded((await found(send, systemPath('secrets', name)))?.data, 'expiration');
  const date = new Date(expiration);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

const remove = async (send: Send, path: string): Promise<void> => {
  const { code, text } = await ask(send, { method: 'DELETE', path });
  if (code >= 300 && code !== 404) throw refusal(code, text);
};

/** The uid of a node; undefined if it does not exist, or has another provider id. */
const uidOfNode = async (send: Send, name: string, providerId: string): Promise<string | undefined> => {
  const node = await found(send, nodePath(name));
  if (!node) return undefined;
  const current = isObject(node.spec) ? textOf(node.spec.providerID) : '';
  return current === '' || current === providerId ? textOf(isObject(node.metadata) && node.metadata.uid) : undefined;
};

const removeNode = async (send: Send, name: string, providerId: string | undefined): Promise<void> => {
  if (providerId === undefined) return remove(send, nodePath(name));
  const uid = await uidOfNode(send, name, providerId);
  if (uid === undefined) return;
  const body = { type: 'application/json', value: { preconditions: { uid } } };
  const { code, text } = await ask(send, { method: 'DELETE', path: nodePath(name), body });
  // 409: another node has taken the name in the meantime.
  if (code >= 300 && code !== 404 && code !== 409) throw refusal(code, text);
};

const patchNode = async (send: Send, name: string, patch: NodePatch): Promise<void> => {
  const { code, text } = await ask(send, { method: 'PATCH', path: nodePath(name), body: merge(nodeBody(patch)) });
  if (code === 409) throw new ConflictError(`node ${name} has changed in the meantime`);
  if (code >= 300) throw refusal(code, text);
};

const setCondition = async (send: Send, name: string, condition: NodeCondition, now: Date): Promise<void> => {
  const time = formatTime(now);
  const value = { status: { conditions: [{ ...condition, lastHeartbeatTime: time, lastTransitionTime: time }] } };
  const body = { type: STRATEGIC_MERGE_PATCH, value };
  const { code, text } = await ask(send, { method: 'PATCH', path: `${nodePath(name)}/status`, body });
  if (code >= 300 && code !== 404) throw refusal(code, text);
};

type NodesAndPods = Pick<WorkloadClient, 'nodes' | 'controlPlanePods' | 'setNodeAddresses' | 'setNodeCondition'>;

/**
 * The memory for lists of a cluster. A node takes 10 to 14 KiB, so that 5000 nodes fit. The pods are those of the
 * control plane, four for each of its machines.
 */
const MOST_BYTES = { nodes: 72 * 1024 * 1024, pods: 8 * 1024 * 1024 };

const nodesAndPods = (send: Send): NodesAndPods => ({
  nodes: () => listAt(send, '/api/v1/nodes', toNode, MOST_BYTES.nodes),
  controlPlanePods: () =>
    listAt(send, `${systemPath('pods')}?labelSelector=tier%3Dcontrol-plane`, toPod, MOST_BYTES.pods),
  setNodeAddresses: async (name, addresses) => {
    const body = merge({ status: { addresses } });
    return toNode(parsed(await demand(send, { method: 'PATCH', path: `${nodePath(name)}/status`, body })));
  },
  setNodeCondition: (name, condition, now) => setCondition(send, name, condition, now),
});

const tokenOf = ({ metadata, data }: Record<string, unknown>) => ({
  name: isObject(metadata) ? textOf(metadata.name) : '',
  description: decoded(data, 'description'),
});

const TOKEN = 'bootstrap.kubernetes.io/token';
const TOKENS = `${systemPath('secrets')}?fieldSelector=${encodeURIComponent(`type=${TOKEN}`)}`;

/**
 * Lists all Secrets if the API server cannot select them by type. Kubernetes can, but Cluster API's in-memory server
 * returns an internal error.
 */
const bootstrapTokens = async (send: Send) => {
  try {
    return await listAt(send, TOKENS, tokenOf);
  } catch (error) {
    if (!(error instanceof WorkloadRefusedError) || error.code !== 500) throw error;
    const all = await listAt(send, systemPath('secrets'), ({ type, ...secret }) =>
      type === TOKEN ? [tokenOf(secret)] : [],
    );
    return all.flat();
  }
};

/** A client that uses any connection. */
export const workloadClient = ({ send, run, close }: Connection): WorkloadClient => ({
  ...nodesAndPods(send),
  hasSystemObject: async ({ kind, name }) =>
    (await found(send, systemPath(kind === 'Secret' ? 'secrets' : 'configmaps', name))) !== undefined,
  systemConfigMap: async (name) => {
    const map = await found(send, systemPath('configmaps', name));
    return map && textsOf(map.data);
  },
  execute: run,
  patchNode: (name, patch) => patchNode(send, name, patch),
  cloudController: () => findCloudController(send),
  deleteNode: (name, providerId) => removeNode(send, name, providerId),
  bootstrapTokenExpiry: (name) => tokenExpiry(send, name),
  bootstrapTokens: () => bootstrapTokens(send),
  putBootstrapToken: (secret) => putToken(send, secret),
  deleteBootstrapToken: (name) => remove(send, systemPath('secrets', name)),
  ...anyObjects(send),
  drain: drainApi(send),
  services: servicesApi(send),
  close,
});

/** Returns the connector that entry points pass to the steps. */
export const makeConnectWorkload =
  (options: ConnectOptions): ConnectWorkload =>
  (target) =>
    workloadClient(connectionOf(target, options));
