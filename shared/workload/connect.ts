import {
  ApiException,
  CoreV1Api,
  createConfiguration,
  KubeConfig,
  PatchStrategy,
  type RequestContext,
  ServerConfiguration,
  setHeaderOptions,
} from '@kubernetes/client-node';
import { ConflictError } from '../errors.ts';
import { anyObjects, type Send } from './any-object.ts';
import {
  type CommandResult,
  type ConnectWorkload,
  type NodePatch,
  type PodCommand,
  type TokenSecret,
  unreachable,
  type WorkloadClient,
} from './client.ts';
import { findCloudController } from './cloud-controller.ts';
import { drainApi } from './drain-api.ts';
import { execute } from './exec.ts';

export interface ConnectOptions {
  /** Gives the signal that ends one request; entry points pass `() => AbortSignal.timeout(…)`. */
  deadline: () => AbortSignal;
  /** The same for a command in a container, which may have to wait for others; by default that of a request. */
  commandDeadline?: () => AbortSignal;
}

const KUBE_SYSTEM = 'kube-system';
const AS_MERGE_PATCH = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

const isStatus = (error: unknown, code: number): boolean => error instanceof ApiException && error.code === code;

/** An HTTP answer is the API server's own word and passes; anything else means that it could not be asked. */
const reach = async <T>(request: Promise<T>): Promise<T> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiException && error.code < 500) throw error;
    throw unreachable(error);
  }
};

type Dispatcher = NonNullable<ReturnType<RequestContext['getDispatcher']>>;

interface Connection {
  api: CoreV1Api;
  send: Send;
  run(command: PodCommand): Promise<CommandResult>;
  close(): Promise<void>;
}

/** One connection pool for all requests of a client: the library would otherwise open a new one for each request. */
const openApi = (kubeconfig: string, { deadline, commandDeadline = deadline }: ConnectOptions): Connection => {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const server = config.getCurrentCluster()?.server;
  if (!server) throw new Error('the kubeconfig names no current cluster');
  let pool: Dispatcher | undefined;
  const prepare = async (context: RequestContext): Promise<RequestContext> => {
    pool ??= context.getDispatcher();
    if (pool) context.setDispatcher(pool);
    context.setSignal(deadline());
    return context;
  };
  const configuration = createConfiguration({
    baseServer: new ServerConfiguration(server, {}),
    authMethods: { default: config },
    promiseMiddleware: [{ pre: prepare, post: async (context) => context }],
  });
  const send: Send = async ({ method, path, body }) => {
    const context = configuration.baseServer.makeRequestContext(path, method);
    await config.applySecurityAuthentication(context);
    await prepare(context);
    context.setHeaderParam('accept', 'application/json');
    if (body !== undefined) {
      context.setHeaderParam('content-type', body.type);
      context.setBody(JSON.stringify(body.value));
    }
    const answer = await configuration.httpApi.send(context).toPromise();
    return { code: answer.httpStatusCode, text: await answer.body.text() };
  };
  return {
    api: new CoreV1Api(configuration),
    send,
    run: (command) => execute(config, command, commandDeadline()),
    close: async () => pool?.destroy(),
  };
};

const nodeBody = (patch: NodePatch): object => ({
  metadata: { resourceVersion: patch.resourceVersion, labels: patch.labels, annotations: patch.annotations },
  ...(patch.taints || patch.providerID ? { spec: { taints: patch.taints, providerID: patch.providerID } } : {}),
});

const putToken = async (api: CoreV1Api, { metadata: { name }, type, data }: TokenSecret): Promise<void> => {
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: KUBE_SYSTEM }, type, data };
  try {
    await reach(api.createNamespacedSecret({ namespace: KUBE_SYSTEM, body }));
  } catch (error) {
    if (!isStatus(error, 409)) throw error;
    await reach(api.patchNamespacedSecret({ namespace: KUBE_SYSTEM, name, body: { data } }, AS_MERGE_PATCH));
  }
};

const unlessMissing = async <T>(request: Promise<T>): Promise<T | undefined> => {
  try {
    return await reach(request);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
};

const tokenExpiry = async (api: CoreV1Api, name: string): Promise<Date | undefined> => {
  const secret = await unlessMissing(api.readNamespacedSecret({ namespace: KUBE_SYSTEM, name }));
  const text = Buffer.from(secret?.data?.expiration ?? '', 'base64').toString('utf8');
  return text === '' ? undefined : new Date(text);
};

const unlessGone = async (request: Promise<unknown>): Promise<void> => void (await unlessMissing(request));

const clientOf = ({ api, send, run, close }: Connection): WorkloadClient => ({
  nodes: async () => (await reach(api.listNode())).items,
  controlPlanePods: async () =>
    (await reach(api.listNamespacedPod({ namespace: KUBE_SYSTEM, labelSelector: 'tier=control-plane' }))).items,
  hasSystemObject: async ({ kind, name }) =>
    kind === 'Secret'
      ? (await unlessMissing(api.readNamespacedSecret({ namespace: KUBE_SYSTEM, name }))) !== undefined
      : (await unlessMissing(api.readNamespacedConfigMap({ namespace: KUBE_SYSTEM, name }))) !== undefined,
  systemConfigMap: async (name) => {
    const found = await unlessMissing(api.readNamespacedConfigMap({ namespace: KUBE_SYSTEM, name }));
    return found && (found.data ?? {});
  },
  execute: run,
  patchNode: async (name, patch) => {
    try {
      await reach(api.patchNode({ name, body: nodeBody(patch) }, AS_MERGE_PATCH));
    } catch (error) {
      if (!isStatus(error, 409)) throw error;
      throw new ConflictError(`node ${name} has changed in the meantime`, { cause: error });
    }
  },
  setNodeAddresses: (name, addresses) =>
    reach(api.patchNodeStatus({ name, body: { status: { addresses } } }, AS_MERGE_PATCH)),
  cloudController: () => findCloudController(send),
  deleteNode: (name) => unlessGone(api.deleteNode({ name })),
  bootstrapTokenExpiry: (name) => tokenExpiry(api, name),
  bootstrapTokens: async () => {
    const fieldSelector = 'type=bootstrap.kubernetes.io/token';
    const { items } = await reach(api.listNamespacedSecret({ namespace: KUBE_SYSTEM, fieldSelector }));
    return items.map(({ metadata, data }) => ({
      name: metadata?.name ?? '',
      description: Buffer.from(data?.description ?? '', 'base64').toString('utf8'),
    }));
  },
  putBootstrapToken: (secret) => putToken(api, secret),
  deleteBootstrapToken: (name) => unlessGone(api.deleteNamespacedSecret({ namespace: KUBE_SYSTEM, name })),
  ...anyObjects(send),
  drain: drainApi(send),
  close,
});

/** Makes the connector that entry points pass to the steps. */
export const makeConnectWorkload =
  (options: ConnectOptions): ConnectWorkload =>
  (kubeconfig) =>
    clientOf(openApi(kubeconfig, options));
