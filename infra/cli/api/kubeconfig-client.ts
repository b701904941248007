/** A client of whatever API a kubeconfig names, with the credentials that it names. */
import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { type Api, exchange, parsed } from './client.ts';

/** The API of the current context, and the namespace of objects that name none. */
export interface Context {
  api: Api;
  namespace: string;
}

/** Throws an Error where the file does not exist or names no server. */
export const readContext = (file: string): Context => {
  const config = new KubeConfig();
  config.loadFromFile(file);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error(`${file} has no current context with a cluster`);
  const api: Api = {
    send: async <T>(method: string, path: string, body?: unknown, contentType = 'application/json') => {
      const options: RequestOptions = { method, headers: {} };
      await config.applyToHTTPSOptions(options);
      const content = body === undefined ? {} : { 'content-type': contentType };
      const headers = { ...options.headers, accept: 'application/json', ...content };
      const text = body === undefined ? undefined : JSON.stringify(body);
      return parsed<T>(await exchange(new URL(`${server.replace(/\/$/, '')}${path}`), { ...options, headers }, text));
    },
    close: () => {},
  };
  return { api, namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default' };
};
