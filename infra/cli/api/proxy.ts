/**
 * The proxy that the environment names (HTTPS_PROXY, ALL_PROXY, NO_PROXY, in upper or lower case), for requests to AWS
 * and to the Kubernetes API. kubectl, the AWS CLI and the CDK use the same variables.
 */
import type { Agent as HttpAgent } from 'node:http';
import { Agent as DirectAgent } from 'node:https';
import { isIPv4, isIPv6 } from 'node:net';
import { Agent, type AgentConnectOpts } from 'agent-base';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

/** As for Go's clients, no proxy leads to this computer itself. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));

/** Whether one of the variables has this value without a scheme. */
const isBare = (proxy: string): boolean => {
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY, all_proxy, ALL_PROXY } = process.env;
  const values = [https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY, all_proxy, ALL_PROXY];
  return values.some((value) => value !== undefined && value !== proxy && proxy.endsWith(`://${value}`));
};

/** The URL of the proxy for requests to `url`; undefined if they are sent directly. `host:port` means HTTP, as for Go. */
export const proxyFor = (url: string): string | undefined => {
  const proxy = isLoopback(new URL(url)) ? '' : getProxyForUrl(url);
  if (proxy === '') return undefined;
  return isBare(proxy) ? proxy.replace(/^\w+:/, 'http:') : proxy;
};

/** Chooses between the proxy and a direct connection for each host, which a client of AWS determines with its region. */
class EnvironmentAgent extends Agent {
  readonly #direct = new DirectAgent({ keepAlive: true });
  readonly #proxies = new Map<string, HttpsProxyAgent<string>>();

  override connect(_request: unknown, { host = '', port }: AgentConnectOpts & { host?: string }): HttpAgent {
    const proxy = proxyFor(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`);
    if (proxy === undefined) return this.#direct;
    const agent = this.#proxies.get(proxy) ?? new HttpsProxyAgent(proxy, { keepAlive: true });
    this.#proxies.set(proxy, agent);
    return agent;
  }
}

/** The settings with which a client of AWS uses the proxy of the environment; empty if it names none. */
export const throughProxy = (): { requestHandler?: object } => {
  const isNamed = ['https_proxy', 'all_proxy'].some((name) => process.env[name] || process.env[name.toUpperCase()]);
  return isNamed ? { requestHandler: { httpsAgent: new EnvironmentAgent() } } : {};
};
