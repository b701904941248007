/** A client of the API in a kubeconfig, with its credentials. */
import { existsSync } from 'node:fs';
import { Agent, type RequestOptions } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Cluster, KubeConfig } from '@kubernetes/client-node';
import { SIMULATED_ENDPOINT } from '../kubeconfig/kubeconfig.ts';
import { PATHS } from '../paths.ts';
import { type Api, exchange, parsed } from './client.ts';
import { proxyFor, throughProxy } from './proxy.ts';

/** The options that select an API and a namespace on the command line, as for kubectl. */
export interface ContextOptions {
  kubeconfig?: string;
  context?: string;
  namespace?: string;
}

/** The API of the current context, and the default namespace. */
export interface Context {
  api: Api;
  namespace: string;
}

/** The installation behind an API: on this computer, or in AWS. */
export interface Installation extends Context {
  /** The address of the Kubernetes API. */
  server: string;
  /** Settings of AWS clients. In AWS, everything else comes from the environment. */
  aws: ReturnType<typeof throughProxy> & {
    endpoint?: string;
    region?: string;
    credentials?: { accessKeyId: string; secretAccessKey: string };
  };
  /** Whether the account is the simulated one of `windlass start`. */
  isSimulated: boolean;
}

/** The files to read, like kubectl's; that of `windlass start` comes before ~/.kube/config. */
const filesOf = (named: string | undefined): string[] => {
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`--kubeconfig ${named}: there is no such file`);
    return [named];
  }
  const listed = (process.env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  const candidates = listed.length > 0 ? listed : [PATHS.kubeconfig, join(homedir(), '.kube', 'config')];
  const found = candidates.filter((file) => existsSync(file));
  if (listed.length > 0 && found.length === 0) throw new Error(`no file in KUBECONFIG exists: ${listed.join(', ')}`);
  return listed.length > 0 ? found : found.slice(0, 1);
};

const read = (file: string): KubeConfig => {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw new Error(`the kubeconfig ${file} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
  return config;
};

/** The first of each name, like kubectl. */
const firsts = <T extends { name: string }>(all: readonly T[]): T[] =>
  all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);

const load = (file: string | undefined): KubeConfig => {
  const configs = filesOf(file).map(read);
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: firsts(configs.flatMap((one) => one.getClusters())),
    users: firsts(configs.flatMap((one) => one.getUsers())),
    contexts: firsts(configs.flatMap((one) => one.getContexts())),
    currentContext: configs.map((one) => one.getCurrentContext()).find((name) => name),
  });
  return config;
};

const select = (config: KubeConfig, context: string | undefined): void => {
  if (context === undefined) return;
  const known = config.getContexts().map(({ name }) => name);
  if (!known.includes(context))
    throw new Error(`--context ${context}: the kubeconfig has only ${known.join(', ') || 'no contexts'}`);
  config.setCurrentContext(context);
};

/** A `proxy-url` of the cluster comes before the environment, as for kubectl. */
const applyProxy = (config: KubeConfig, { name, server, proxyUrl }: Cluster): void => {
  const proxy = proxyUrl || !URL.canParse(server) ? undefined : proxyFor(server);
  if (proxy === undefined) return;
  config.clusters = config.clusters.map((one) => (one.name === name ? { ...one, proxyUrl: proxy } : one));
};

/** The kubeconfig in the options, with its context. Throws if there is none, or no server in it. */
export const readKubeconfig = ({ kubeconfig, context }: ContextOptions): KubeConfig => {
  const config = load(kubeconfig);
  select(config, context);
  const cluster = config.getCurrentCluster();
  if (cluster?.server === undefined)
    throw new Error(
      'no Kubernetes API is known: start one with `windlass start`, or name a file with --kubeconfig or KUBECONFIG',
    );
  applyProxy(config, cluster);
  return config;
};

/** Throws the failure of a connection, with the server, and with a hint if the server is on this computer. */
const unreachable =
  (config: KubeConfig, server: string) =>
  (error: NodeJS.ErrnoException): never => {
    const isStopped = error.code === 'ECONNREFUSED' && simulatedOf(config) !== undefined;
    const hint = isStopped ? '; run `windlass start`, or name another file with --kubeconfig or KUBECONFIG' : '';
    throw new Error(`the API ${server} cannot be reached: ${error.message}${hint}`, { cause: error });
  };

const contextOf = (config: KubeConfig, namespace: string | undefined): Context => {
  const server = config.getCurrentCluster()?.server ?? '';
  const api: Api = {
    send: async <T>(method: string, path: string, body?: unknown, contentType = 'application/json') => {
      const options: RequestOptions = { method, headers: {} };
      await config.applyToHTTPSOptions(options);
      // The library's agent would open a connection for each request. An idle one keeps no process alive.
      if (options.agent instanceof Agent) Object.assign(options.agent, { keepAlive: true });
      const content = body === undefined ? {} : { 'content-type': contentType };
      const headers = { ...options.headers, accept: 'application/json', ...content };
      const text = body === undefined ? undefined : JSON.stringify(body);
      const url = new URL(`${server.replace(/\/$/, '')}${path}`);
      const answer = await exchange(url, { ...options, headers }, text).catch(unreachable(config, server));
      return parsed<T>(answer);
    },
    // The connections belong to the library's agent, and close with the process.
    close: () => {},
  };
  return { api, namespace: namespace ?? config.getContextObject(config.getCurrentContext())?.namespace ?? 'default' };
};

/** The environment variables of the current user's credential plugin, and the value of its --region. */
const pluginOf = (config: KubeConfig): { variables: ReadonlyMap<string, string>; region?: string } => {
  const { env = [], args = [] } = (config.getCurrentUser()?.exec ?? {}) as {
    env?: { name: string; value: string }[];
    args?: string[];
  };
  const at = args.indexOf('--region');
  return {
    variables: new Map(env.map(({ name, value }) => [name, value])),
    region: args[at < 0 ? args.length : at + 1],
  };
};

/** The simulated account to which a kubeconfig of `windlass start` leads; undefined for any other kubeconfig. */
const simulatedOf = (config: KubeConfig): Installation['aws'] | undefined => {
  const { variables } = pluginOf(config);
  const endpoint = variables.get(SIMULATED_ENDPOINT);
  if (endpoint === undefined) return undefined;
  const credentials = {
    accessKeyId: variables.get('AWS_ACCESS_KEY_ID') ?? '',
    secretAccessKey: variables.get('AWS_SECRET_ACCESS_KEY') ?? '',
  };
  return { endpoint, region: variables.get('AWS_REGION'), credentials };
};

/** The installation behind the API that the options name. Throws the errors of `openContext`. */
export const openInstallation = (options: ContextOptions): Installation => {
  const config = readKubeconfig(options);
  const simulated = simulatedOf(config);
  const { region } = pluginOf(config);
  return {
    ...contextOf(config, options.namespace),
    server: config.getCurrentCluster()?.server ?? '',
    aws: simulated ?? { ...throughProxy(), ...(region === undefined ? {} : { region }) },
    isSimulated: simulated !== undefined,
  };
};

/** The API in the options. Throws an Error if the file or the context does not exist, or if no file names a server. */
export const openContext = (options: ContextOptions): Context => contextOf(readKubeconfig(options), options.namespace);
