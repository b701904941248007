/** A client of whatever API a kubeconfig names, with the credentials that it names. */
import { existsSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { PATHS } from '../paths.ts';
import { type Api, exchange, parsed } from './client.ts';

/** What names an API and a namespace on the command line, as kubectl takes them. */
export interface ContextOptions {
  kubeconfig?: string;
  context?: string;
  namespace?: string;
}

/** The API of the current context, and the namespace of objects that name none. */
export interface Context {
  api: Api;
  namespace: string;
}

/** As kubectl finds its file; that of `windlass start` comes before ~/.kube/config. */
const load = (file: string | undefined): KubeConfig => {
  const config = new KubeConfig();
  if (file !== undefined) {
    if (!existsSync(file)) throw new Error(`--kubeconfig ${file}: there is no such file`);
    config.loadFromFile(file);
  } else if (!process.env.KUBECONFIG && existsSync(PATHS.kubeconfig)) {
    config.loadFromFile(PATHS.kubeconfig);
  } else if (process.env.KUBECONFIG || existsSync(join(homedir(), '.kube', 'config'))) {
    config.loadFromDefault(undefined, true);
  }
  return config;
};

const select = (config: KubeConfig, context: string | undefined): void => {
  if (context === undefined) return;
  const known = config.getContexts().map(({ name }) => name);
  if (!known.includes(context))
    throw new Error(`--context ${context}: the kubeconfig has only ${known.join(', ') || 'no contexts'}`);
  config.setCurrentContext(context);
};

/**
 * The API that the options name. Throws an Error where the file or the context does not exist, or where no file names a
 * server.
 */
export const openContext = ({ kubeconfig, context, namespace }: ContextOptions): Context => {
  const config = load(kubeconfig);
  select(config, context);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined)
    throw new Error(
      'no Kubernetes API is known: start one with `windlass start`, or name a file with --kubeconfig or KUBECONFIG',
    );
  const api: Api = {
    send: async <T>(method: string, path: string, body?: unknown, contentType = 'application/json') => {
      const options: RequestOptions = { method, headers: {} };
      await config.applyToHTTPSOptions(options);
      const content = body === undefined ? {} : { 'content-type': contentType };
      const headers = { ...options.headers, accept: 'application/json', ...content };
      const text = body === undefined ? undefined : JSON.stringify(body);
      const url = new URL(`${server.replace(/\/$/, '')}${path}`);
      return parsed<T>(await exchange(url, { ...options, headers }, text));
    },
    // The connections are those of the KubeConfig, which does not keep a process alive by them.
    close: () => {},
  };
  return { api, namespace: namespace ?? config.getContextObject(config.getCurrentContext())?.namespace ?? 'default' };
};
