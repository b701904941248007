/**
 * For tests: a cluster whose kinds are defined by CustomResourceDefinitions, with its provider's writes through the
 * API.
 */
import { expect } from 'vitest';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import type { Storage } from '../../../../shared/kube-api/storage/storage.ts';
import type { TestDatabase } from '../../../../shared/store/test-table.ts';
import type { ClusterRef, ConvergeInput } from '../../../../shared/work/payloads.ts';
import { CRDS } from '../../../api/custom/test-widgets.ts';
import { createTestApi } from '../../../api/test-api.ts';
import { context, makeWorld, quickstart } from '../test-world.ts';

export const GROUP = 'infrastructure.example.com';
export const PATH = `/apis/${GROUP}/v2/namespaces/default`;

const KINDS = [
  ...['RackCluster', 'RackClusterTemplate', 'RackMachine', 'RackMachineTemplate'],
  ...['RackControlPlane', 'RackBoot', 'RackBootTemplate'],
];

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const definition = (kind: string, labels: Record<string, string> = { 'cluster.x-k8s.io/v1beta2': 'v1_v2' }) => {
  const plural = `${kind.toLowerCase()}s`;
  const properties = { spec: { ...free, properties: { size: { type: 'string', default: 'small' } } }, status: free };
  const version = (name: string) => ({
    ...{ name, served: true, storage: name === 'v1', subresources: { status: {} } },
    schema: { openAPIV3Schema: { type: 'object', properties } },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}`, labels },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [version('v1'), version('v2')],
    },
  };
};

export const object = (kind: string, name: string, spec: object) => ({
  apiVersion: `${GROUP}/v2`,
  kind,
  metadata: { name, namespace: 'default' },
  spec,
});

/** The example with the provider's kinds instead of all others. */
export const allOutside = (one: KubeObject): KubeObject =>
  JSON.parse(
    JSON.stringify(one)
      .replaceAll(/"apiGroup":"[^"]*","kind":"Kubeadm/g, `"apiGroup":"${GROUP}","kind":"Rack`)
      .replaceAll('RackConfigTemplate', 'RackBootTemplate'),
  );

/** The example with the provider's kinds instead of those of AWS. */
const objectsOf = async (): Promise<KubeObject[]> =>
  (await quickstart())
    .filter(({ kind }) => !kind.startsWith('AWS'))
    .map((one) =>
      JSON.parse(
        JSON.stringify(one).replaceAll(/"apiGroup":"[^"]*","kind":"AWS/g, `"apiGroup":"${GROUP}","kind":"Rack`),
      ),
    );

/** `change` is applied to the objects of the cluster before they are created. */
export const makeOutsideWorld = async (
  database: TestDatabase,
  change: (object: KubeObject) => KubeObject = (one) => one,
) => {
  let storage: Storage | undefined;
  const w = await makeWorld(database, (made) => {
    storage = made;
    return made;
  });
  const touched: ClusterRef[] = [];
  const api = createTestApi(storage, { touch: async (cluster) => void touched.push(cluster) }).admin;
  for (const kind of KINDS) expect((await api.ask('POST', CRDS, definition(kind))).code).toBe(201);
  for (const one of await objectsOf()) await w.apply(change(one));
  const key = { namespace: 'default', name: 'quickstart' };
  const input: ConvergeInput = w.inputOf((await w.objects.get(kinds.cluster, key)) as KubeObject, 1);
  return { ...w, api, touched, input, ...actionsOf(w, api, input) };
};

const actionsOf = (
  w: Awaited<ReturnType<typeof makeWorld>>,
  api: ReturnType<typeof createTestApi>['admin'],
  input: ConvergeInput,
) => {
  const create = async (one: object & { kind: string }) => {
    const answer = await api.ask('POST', `${PATH}/${one.kind.toLowerCase()}s`, one);
    expect([answer.code, answer.body.message]).toEqual([201, undefined]);
  };
  const patch = async (path: string, body: object) => expect((await api.ask('PATCH', path, body)).code).toBe(200);
  const setStatus = async (kind: string, name: string, body: object) => {
    for (const to of ['', '/status']) await patch(`${PATH}/${kind}/${name}${to}`, body);
  };
  const pass = async () => {
    const { mode } = await w.steps.begin(input, context);
    if (mode === 'normal') {
      const { ready } = await w.steps.outside(input, context);
      if (ready) await w.steps.machines(input, context);
    }
    if (mode === 'delete') await w.steps.teardown(input, context);
    await w.steps.conclude(input, context);
    return mode;
  };
  const provision = () =>
    setStatus('rackclusters', 'quickstart', {
      spec: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } },
      status: { initialization: { provisioned: true }, failureDomains: [{ name: 'a', controlPlane: true }] },
    });
  const templates = ['quickstart-control-plane', 'quickstart-md-0'];
  return {
    ...{ create, setStatus, pass },
    /** Removes the finalizer, as the provider does. */
    release: (kind: string, name: string) => patch(`${PATH}/${kind}/${name}`, { metadata: { finalizers: null } }),
    read: async (kind: string, name: string) => (await api.ask('GET', `${PATH}/${kind}/${name}`)).body,
    machines: (): Promise<Machine[]> => w.objects.listOfCluster(kinds.machine, 'default', 'quickstart'),
    /** Creates the infrastructure, which its provider provisions. */
    complete: async () => {
      await create(object('RackCluster', 'quickstart', {}));
      const template = { metadata: { labels: { rack: '1' } }, spec: {} };
      for (const name of templates) await create(object('RackMachineTemplate', name, { template }));
      await provision();
      await pass();
    },
  };
};

export type OutsideWorld = Awaited<ReturnType<typeof makeOutsideWorld>>;
