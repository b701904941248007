/** For tests: the remains of a cluster named red, the manifests of the quickstart for it, and an API in memory. */
import { join } from 'node:path';
import { makeTestCluster } from '../../../functions/preview/test-cluster.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { type Api, ApiError, statusOf } from '../api/client.ts';
import { readManifests } from '../apply/manifest.ts';
import { ROOT } from '../paths.ts';
import type { Observed } from './observed.ts';
import { instance, node, seen } from './test-remains.ts';

/** One control plane machine and one worker of red, in the namespace `default`. */
export const REMAINS: Observed = {
  ...seen,
  namespace: 'default',
  balancers: seen.balancers.map((one) => ({ ...one, name: 'default-red-apiserver' })),
  instances: [instance('i-0c', 'red-control-plane-1'), instance('i-0d', 'red-md-0-abcde-1')],
  nodes: [
    node('i-0c', 'red-control-plane-1', 'KubeadmControlPlane', 'red-control-plane'),
    node('i-0d', 'red-md-0-abcde-1', 'MachineSet', 'red-md-0-abcde'),
  ],
};

/** The documents of an example, with the name of the cluster replaced. */
export const example = (file: string): KubeObject[] => {
  const objects = readManifests(join(ROOT, 'examples', `${file}.yaml`)).map(({ object }) => object);
  return JSON.parse(JSON.stringify(objects).replaceAll(file, 'red')) as KubeObject[];
};

/** Replaces fields of the objects of a kind. */
export const withSpec = (objects: readonly KubeObject[], kind: string, spec: object): KubeObject[] =>
  objects.map((one) =>
    one.kind === kind ? ({ ...one, spec: { ...(one as { spec?: object }).spec, ...spec } } as KubeObject) : one,
  );

const INFRASTRUCTURE = '/apis/infrastructure.cluster.x-k8s.io/v1beta2';

export const PATH = {
  cluster: '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/red',
  controlPlane: '/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/default/kubeadmcontrolplanes/red-control-plane',
  awsCluster: `${INFRASTRUCTURE}/namespaces/default/awsclusters/red`,
  template: `${INFRASTRUCTURE}/namespaces/default/awsmachinetemplates/red-control-plane`,
  identity: `${INFRASTRUCTURE}/awsclusterroleidentities/red`,
  machineSet: '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinesets/red-md-0-abcde',
  secret: '/api/v1/namespaces/default/secrets/red-ca',
} as const;

/** `writes`: what was written, without dry runs. `failAt`: the connection breaks before that write. */
export const makeTestApi = async () => {
  const { send: ask } = await makeTestCluster();
  const writes: string[] = [];
  const fault = { at: Number.POSITIVE_INFINITY };
  const send = async (method: string, path: string, body?: unknown) => {
    const isWrite = method !== 'GET' && !path.includes('dryRun');
    if (isWrite && writes.length >= fault.at) throw new Error('the connection was closed');
    if (isWrite) writes.push(`${method} ${path}`);
    const answer = await ask(method, path, body as object | undefined);
    if (answer.code > 299) throw new ApiError(statusOf({ code: answer.code, text: JSON.stringify(answer.body) }));
    return answer.body;
  };
  const api: Api = { send, close: () => {} };
  // biome-ignore lint/suspicious/noExplicitAny: stored objects of all kinds, whose shape is what the tests assert.
  const stored = async (path: string): Promise<any> => (await ask('GET', path)).body;
  return { api, stored, writes, fault };
};
