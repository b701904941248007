/** Passes over Clusters of Rancher's group, over objects in memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Host, kinds, type RancherCluster, type Secret } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { isProblems, readRancherConfig } from '../../../shared/plan/rancher/config.ts';
import { ROLE_LABEL } from '../../../shared/plan/rancher/names.ts';
import { aNode } from '../../../shared/plan/rancher/test-config.ts';
import type { ClusterRef, ConvergeInput } from '../../../shared/work/payloads.ts';
import { context, makeWorld, type World } from '../objects/test-world.ts';
import { useTestDatabase } from '../test-database.ts';
import { publish } from './publish.ts';
import { readMade } from './read.ts';

const database = useTestDatabase();
const NAMESPACE = 'rke-demo';
const at = (name: string, namespace = NAMESPACE) => ({ namespace, name });
const encoded = (text: string) => Buffer.from(text).toString('base64');

const THREE = [aNode(1, ['controlplane', 'etcd']), aNode(2, ['controlplane', 'etcd']), aNode(3, ['worker'])];
const KNOWN = [1, 2, 3, 4].map((one) => `10.0.0.${one} ssh-ed25519 ${'A'.repeat(67)}${one}\n`).join('');

const secret = (data: Record<string, string> = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: at('key', 'default'),
  type: 'kubernetes.io/ssh-auth',
  data: { 'ssh-privatekey': encoded('the key'), known_hosts: encoded(KNOWN), ...data },
});

let w: World;
let touched: ClusterRef[];
beforeEach(async () => {
  touched = [];
  w = await makeWorld(database(), undefined, {});
});

const create = async (nodes: readonly object[], more: object = {}): Promise<ConvergeInput> => {
  const object: RancherCluster = {
    apiVersion: 'clusterprovisioner.rke.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'demo' },
    spec: { config: stringify({ ...more, nodes }) },
  };
  const { object: made } = await w.objects.ensure(kinds.rancherCluster, object);
  const cluster = { namespace: '', name: 'demo', uid: made.metadata.uid ?? '' };
  await w.work.touch(cluster);
  return { cluster, wanted: 1, holder: `${cluster.uid}-1` };
};

const pass = async (input: ConvergeInput) => {
  const { mode, wanted } = await w.steps.begin(input, context);
  expect(mode).toBe('paused');
  return w.steps.conclude({ ...input, seen: wanted }, context);
};

const stored = () => w.objects.get(kinds.rancherCluster, at('demo', ''));
const provisioned = async () => {
  const found = (await stored())?.status?.conditions?.find(({ type }) => type === 'Provisioned');
  return { status: found?.status, reason: found?.reason, message: found?.message };
};
const rolesOf = (hosts: readonly Host[]) =>
  Object.fromEntries(hosts.map(({ metadata }) => [metadata.name, metadata.labels?.[ROLE_LABEL]]));
const initialize = () =>
  w.objects.mutate(kinds.cluster, at('demo'), (current) => ({
    ...current,
    status: {
      ...current.status,
      conditions: [
        {
          ...{ type: 'ControlPlaneInitialized', status: 'True' as const, reason: 'Initialized', message: '' },
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  }));

describe('a Cluster of Rancher’s group', () => {
  it('is translated into objects of Cluster API in a namespace of its own', async () => {
    await w.objects.ensure(kinds.secret, secret());
    const input = await create(THREE);
    await pass(input);

    const namespace = await w.objects.get(kinds.namespace, at(NAMESPACE, ''));
    const owner = { kind: 'Cluster', name: 'demo', uid: input.cluster.uid, controller: true };
    expect(namespace?.metadata.ownerReferences).toMatchObject([owner]);
    const cluster = await w.objects.get(kinds.cluster, at('demo'));
    expect(cluster?.metadata.ownerReferences).toMatchObject([owner]);
    expect(await w.objects.get(kinds.hostCluster, at('demo'))).toMatchObject({
      spec: { controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 } },
    });
    expect(await w.objects.get(kinds.rke2ControlPlane, at('demo-control-plane'))).toMatchObject({
      spec: { replicas: 1, version: 'v1.34.2+rke2r1' },
    });
    expect(await w.objects.get(kinds.machineDeployment, at('demo-worker'))).toMatchObject({ spec: { replicas: 1 } });
    const hosts = await w.objects.list(kinds.host, NAMESPACE);
    expect(rolesOf(hosts)).toEqual({ '10.0.0.1': 'controlplane', '10.0.0.2': 'waiting', '10.0.0.3': 'worker' });
    expect(hosts[0]?.spec.hostKey).toBe(`ssh-ed25519 ${'A'.repeat(67)}1`);
    const copy = await w.objects.get(kinds.secret, at(hosts[0]?.spec.secretRef.name ?? ''));
    expect(copy?.data).toEqual({ 'ssh-privatekey': encoded('the key') });

    expect(await provisioned()).toEqual({ status: 'False', reason: 'Provisioning', message: '0 of 3 nodes run' });
    expect((await stored())?.metadata.finalizers).toEqual(['cluster.clusterprovisioner.rke.io']);
  });

  it('gets further servers once these can join', async () => {
    await w.objects.ensure(kinds.secret, secret());
    const input = await create(THREE);
    await pass(input);
    await initialize();
    await pass(input);

    expect(rolesOf(await w.objects.list(kinds.host, NAMESPACE))['10.0.0.2']).toBe('controlplane');
    expect(await w.objects.get(kinds.rke2ControlPlane, at('demo-control-plane'))).toMatchObject({
      spec: { replicas: 2 },
    });
    expect(await w.objects.get(kinds.rancherKubeconfig, at('demo', ''))).toMatchObject({
      spec: { secretRef: { namespace: NAMESPACE, name: 'demo-kubeconfig', key: 'value' } },
    });
  });

  it('causes no write and no pass if nothing has changed', async () => {
    await w.objects.ensure(kinds.secret, secret());
    const input = await create(THREE);
    await pass(input);
    const versions = async () => {
      const all = [kinds.cluster, kinds.host, kinds.rke2ControlPlane, kinds.machineDeployment, kinds.secret] as const;
      const lists = await Promise.all(all.map((kind) => w.objects.list(kind as never, NAMESPACE)));
      return lists.flat().map(({ metadata }: KubeObject) => `${metadata.uid} ${metadata.resourceVersion}`);
    };
    const before = await versions();
    const made = await w.objects.get(kinds.cluster, at('demo'));
    const ref = { namespace: NAMESPACE, name: 'demo', uid: made?.metadata.uid ?? '' };
    expect((await w.work.get(ref))?.wanted).toBe(1);
    await pass(input);
    expect(await versions()).toEqual(before);
    expect((await w.work.get(ref))?.wanted).toBe(1);
  });

  it.each([
    [
      'the Secret does not exist',
      undefined,
      'CredentialsInvalid',
      'nodes[0].ssh_key_path: Secret default/key does not exist',
    ],
    [
      'the Secret has no key',
      secret({ 'ssh-privatekey': '' }),
      'CredentialsInvalid',
      'nodes[0].ssh_key_path: Secret default/key has no key ssh-privatekey',
    ],
    [
      'a host is not known',
      secret({ known_hosts: encoded('10.0.0.9 ssh-ed25519 AAAA') }),
      'CredentialsInvalid',
      'nodes[0].address: known_hosts in Secret default/key has no key of 10.0.0.1: add what "ssh-keyscan -p 22 10.0.0.1" prints, after comparing it with the host',
    ],
  ])('gets a report of the wrong field, and no objects, for %s', async (_, keys, reason, message) => {
    if (keys) await w.objects.ensure(kinds.secret, keys);
    const input = await create([aNode(1)]);
    await pass(input);
    expect(await provisioned()).toEqual({ status: 'False', reason, message: `spec.config: ${message}` });
    expect(await w.objects.get(kinds.namespace, at(NAMESPACE, ''))).toBeUndefined();
  });

  it('keeps its objects if its new configuration is invalid', async () => {
    await w.objects.ensure(kinds.secret, secret());
    const input = await create(THREE);
    await pass(input);
    await w.objects.mutate(kinds.rancherCluster, at('demo', ''), (current) => ({
      ...current,
      spec: { config: stringify({ nodes: [aNode(3, ['worker'])] }) },
    }));
    expect(await pass(input)).toMatchObject({ waitSeconds: 0 });
    expect((await provisioned()).reason).toBe('InvalidConfig');
    expect(await w.objects.list(kinds.host, NAMESPACE)).toHaveLength(3);
  });

  it('loses only Hosts and templates that were created for it', async () => {
    await w.objects.ensure(kinds.secret, secret());
    const input = await create(THREE);
    await pass(input);
    const [host] = await w.objects.list(kinds.host, NAMESPACE);
    const labels = { [ROLE_LABEL]: 'worker' };
    await w.objects.ensure(kinds.host, { ...(host as Host), metadata: { ...at('theirs', NAMESPACE), labels } });
    const [template] = await w.objects.list(kinds.rke2ConfigTemplate, NAMESPACE);
    await w.objects.ensure(kinds.rke2ConfigTemplate, { ...template, metadata: at('demo-worker-theirs') } as never);

    const nodes = [...THREE.slice(0, 2), aNode(4, ['worker'])];
    const services = { kubelet: { extra_args: { 'max-pods': '50' } } };
    await w.objects.mutate(kinds.rancherCluster, at('demo', ''), (current) => ({
      ...current,
      spec: { config: stringify({ services, nodes }) },
    }));
    await pass(input);
    const hosts = await w.objects.list(kinds.host, NAMESPACE);
    expect(hosts.map(({ metadata }) => metadata.name)).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.4', 'theirs']);

    const cluster = await stored();
    const config = readRancherConfig(cluster?.spec.config ?? '', 'demo');
    if (!cluster || isProblems(config)) throw new Error('no valid Cluster');
    await publish({ objects: w.objects } as never, await readMade(w.objects, cluster), config, true);
    const left = (await w.objects.list(kinds.rke2ConfigTemplate, NAMESPACE)).map(({ metadata }) => metadata.name);
    expect(left).toEqual([expect.not.stringMatching(`^${template?.metadata.name}$`), 'demo-worker-theirs']);
  });

  it('leaves alone a namespace that was not created for it', async () => {
    await w.objects.ensure(kinds.secret, secret());
    await w.objects.ensure(kinds.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    const input = await create(THREE);
    await pass(input);
    expect((await provisioned()).reason).toBe('NamespaceTaken');
    expect(await w.objects.list(kinds.host, NAMESPACE)).toEqual([]);

    await w.objects.delete(kinds.rancherCluster, at('demo', ''));
    await pass(input);
    expect(await stored()).toBeUndefined();
    expect((await w.objects.get(kinds.namespace, at(NAMESPACE, '')))?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('leaves alone a Kubeconfig that was not created for it', async () => {
    await w.objects.ensure(kinds.secret, secret());
    const spec = { secretRef: { namespace: 'default', name: 'theirs', key: 'value' } };
    const apiVersion = 'clusterprovisioner.rke.io/v1alpha1';
    await w.objects.ensure(kinds.rancherKubeconfig, {
      apiVersion,
      kind: 'Kubeconfig',
      metadata: { name: 'demo' },
      spec,
    });
    const input = await create(THREE);
    await pass(input);
    await initialize();
    await pass(input);
    expect(await provisioned()).toMatchObject({ reason: 'Refused', message: expect.stringContaining('delete it') });
    expect(await w.objects.get(kinds.rancherKubeconfig, at('demo', ''))).toMatchObject({ spec });
  });

  it('is removed, with its namespace, after its cluster', async () => {
    await w.objects.ensure(kinds.secret, secret());
    const input = await create(THREE);
    await pass(input);
    await w.objects.mutate(kinds.cluster, at('demo'), (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: ['cluster.cluster.x-k8s.io'] },
    }));
    await w.objects.delete(kinds.rancherCluster, at('demo', ''));
    expect(await pass(input)).toMatchObject({ waitSeconds: expect.any(Number) });
    expect((await provisioned()).reason).toBe('Removing');
    expect((await w.objects.get(kinds.cluster, at('demo')))?.metadata.deletionTimestamp).toBeDefined();

    await w.objects.mutate(kinds.cluster, at('demo'), (current) => ({
      ...current,
      metadata: { ...current.metadata, finalizers: [] },
    }));
    await pass(input);
    expect(await stored()).toBeUndefined();
    const namespace = await w.objects.get(kinds.namespace, at(NAMESPACE, ''));
    expect(namespace === undefined || namespace.metadata.deletionTimestamp).toBeTruthy();
    expect(await w.work.get(input.cluster)).toBeUndefined();
  });

  it('gets a report of a failed step, and the step is retried', async () => {
    const input = await create(THREE);
    await w.steps.begin(input, context);
    const failure = { Error: 'Transient', Cause: JSON.stringify({ errorMessage: 'no answer' }) };
    expect(await w.steps.fail({ ...input, failure }, context)).toMatchObject({ waitSeconds: 1 });
    const events = await w.objects.list(kinds.event, 'default');
    expect(events).toMatchObject([{ reason: 'ClusterPassFailed', message: 'Transient: no answer' }]);
  });
});

describe('a pass over a Cluster that names an owner of Rancher’s group', () => {
  const owner = {
    ...{ apiVersion: 'clusterprovisioner.rke.io/v1alpha1', kind: 'Cluster', name: 'demo', uid: 'u-1' },
    controller: true,
  };
  const infrastructureRef = { apiGroup: 'infrastructure.windlass.dev', kind: 'HostCluster', name: 'demo' };
  const finish = async (namespace: string) => {
    w = await makeWorld(database(), undefined, {});
    const cluster = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      spec: { paused: true, infrastructureRef },
    };
    const metadata = { ...at('demo', namespace), ownerReferences: [owner] };
    const { object } = await w.objects.ensure(kinds.cluster, { ...cluster, metadata });
    const ref = { ...at('demo', namespace), uid: object.metadata.uid ?? '' };
    await w.steps.finish({ cluster: ref, wanted: 1, holder: 'h' }, context);
    touched = (await w.work.listUnsettled()).map((item) => item.cluster);
  };

  it('requests a pass over the owner, but only if the namespace belongs to this owner', async () => {
    await finish(NAMESPACE);
    expect(touched).toEqual([{ namespace: '', name: 'demo', uid: 'u-1' }]);
    await finish('default');
    expect(touched).toEqual([]);
  });
});
