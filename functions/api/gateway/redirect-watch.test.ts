import { describe, expect, it } from 'vitest';
import { isForWatch, redirectWatch } from './redirect-watch.ts';

const KUBECTL = 'kubectl/v1.34.1 (linux/amd64) kubernetes/93248f9';
const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
const ASKED = `${MACHINES}?watch=true&resourceVersion=7`;

const asked = (path: string, agent = KUBECTL, method = 'GET') =>
  new Request(`https://api${path}`, { method, headers: { 'user-agent': agent } });

/** The address to which a client of this server is redirected. */
const placeAfter = (server: string, path: string): string | undefined => {
  const location = redirectWatch(asked(path))?.headers.get('location');
  return location ? new URL(location, `${server}${path}`).href : undefined;
};

describe('a watch that resumes from a version', () => {
  it.each([
    ['kubectl and client-go', KUBECTL],
    ['a controller', 'manager/v0.0.0 (linux/arm64) kubernetes/$Format cluster-autoscaler'],
    ['the Python client', 'OpenAPI-Generator/37.0.2/python'],
    ['the JavaScript client', 'undici'],
    [
      "a provider's controller manager",
      'manager/v1.12.0 cluster-api-vsphere-manager (linux/amd64) cluster.x-k8s.io/a15405e',
    ],
    ['a client that declares it', 'mine/1.0 follows-redirects'],
  ])('is redirected for %s', (_, agent) => {
    expect(redirectWatch(asked(ASKED, agent))?.status).toBe(307);
  });

  it.each(['', 'curl/8.5.0', 'python-httpx/0.28.1', 'kube-client/1.0', 'Mozilla/5.0'])(
    'is not redirected for "%s"',
    (agent) => {
      expect(redirectWatch(asked(ASKED, agent))).toBeUndefined();
    },
  );

  it.each([
    ['the stage of a gateway', 'https://a.execute-api.us-east-1.amazonaws.com/k8s', ASKED],
    ['a custom domain', 'https://windlass.example.com', ASKED],
    ['a proxy with a path', 'http://127.0.0.1:8001/clusters/red/k8s', '/api/v1/namespaces?watch=1&resourceVersion=7'],
    ['a path that ends in a slash', 'https://a/k8s', `${MACHINES}/?watch=true&resourceVersion=7`],
  ])('is redirected to the right address behind %s', (_, server, path) => {
    expect(placeAfter(server, path)).toBe(`${server}/watches${path}`);
  });
});

describe('the requests that are not redirected', () => {
  it.each([
    ['a list', MACHINES],
    ['an object', `${MACHINES}/red?watch=true&resourceVersion=7`],
    ['a watch that begins with the existing objects', `${MACHINES}?watch=true`],
    ['a watch that begins with the version 0', `${MACHINES}?watch=true&resourceVersion=0`],
    [
      'a list that is streamed',
      `${MACHINES}?watch=true&resourceVersion=7&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    ],
    ['Secrets, which the other function may not open', '/api/v1/secrets?watch=true&resourceVersion=7'],
    ['definitions of kinds', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=true&resourceVersion=1'],
    ['a request that was already redirected', `/watches${ASKED}`],
    ['a path that is not in the API', '/version?watch=true&resourceVersion=7'],
  ])('include %s', (_, path) => {
    expect(redirectWatch(asked(path))).toBeUndefined();
    expect(isForWatch(asked(path))).toBe(false);
  });

  it('include all writes', () => {
    expect(redirectWatch(asked(ASKED, KUBECTL, 'POST'))).toBeUndefined();
  });
});
