import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { agentTokenOf } from '../../bootstrap/rke2/token.ts';
import type { Machine, RKE2ControlPlane, Secret } from '../../kinds/index.ts';
import type { OwnerReference } from '../../kube-api/object.ts';
import type { BootstrapRequest, Role } from '../distribution.ts';
import { rke2 } from './distribution.ts';
import { registrationHosts } from './registration.ts';

const controlPlane = (spec: object = {}): RKE2ControlPlane =>
  ({ metadata: { name: 'cp' }, spec: { version: 'v1.34.2+rke2r1', rolloutStrategy: {}, ...spec } }) as never;

const cluster = { spec: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } } } as never;

const machine = (name: string, over: { node?: boolean; worker?: boolean; addresses?: [string, string][] }): Machine =>
  ({
    metadata: { name, namespace: 'default', labels: over.worker ? {} : { 'cluster.x-k8s.io/control-plane': '' } },
    spec: { version: 'v1.34.2+rke2r1' },
    status: {
      ...(over.node === false ? {} : { nodeRef: { name } }),
      addresses: (over.addresses ?? []).map(([type, address]) => ({ type, address })),
    },
  }) as never;

describe('the hosts at which machines register', () => {
  const machines = [
    machine('a', {
      addresses: [
        ['ExternalIP', '1.1.1.1'],
        ['InternalIP', '10.0.0.1'],
      ],
    }),
    machine('b', { addresses: [['ExternalIP', '1.1.1.2']] }),
    machine('c', { addresses: [['InternalIP', '10.0.0.3']], node: false }),
    machine('d', { addresses: [['InternalIP', '10.0.0.4']], worker: true }),
  ];

  it.each([
    { method: undefined, hosts: ['api.example.com'] },
    { method: 'control-plane-endpoint', hosts: ['api.example.com'] },
    { method: 'internal-first', hosts: ['1.1.1.2', '10.0.0.1'] },
    { method: 'internal-only-ips', hosts: ['10.0.0.1'] },
    { method: 'external-only-ips', hosts: ['1.1.1.1', '1.1.1.2'] },
    { method: 'address', hosts: ['vip.example.com'] },
  ])('are $hosts with the method $method', ({ method, hosts }) => {
    const owner = controlPlane({ registrationMethod: method, registrationAddress: 'vip.example.com' });
    expect(registrationHosts(owner, cluster, machines)).toEqual(hosts);
  });
});

const request = (role: Role, over: Partial<BootstrapRequest> = {}): BootstrapRequest => ({
  role,
  cluster: { metadata: { name: 'demo' }, ...(cluster as object) } as never,
  machine: machine('m', {}),
  config: { apiVersion: '', kind: 'RKE2Config', metadata: { name: 'm' }, spec: {} },
  controlPlane: controlPlane(),
  machines: async () => [],
  authority: async (purpose) => ({ certificatePem: `${purpose} certificate`, privateKeyPem: `${purpose} key` }),
  secret: async () => undefined,
  storedSecret: async (name) => (name === 'demo-token' ? tokenSecret() : undefined),
  configMap: async () => undefined,
  ...over,
});

const tokenSecret = (ownerReferences: OwnerReference[] = []): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'demo-token', ownerReferences },
  data: { value: Buffer.from('the-token').toString('base64') },
});

describe('the bootstrap data of an RKE2 machine', () => {
  it('gives the first server the keys, the others the token, and workers neither', async () => {
    const bodies = await Promise.all(
      (['init', 'control-plane', 'worker'] as const).map(async (role) => (await rke2.render(request(role))).body),
    );
    expect(bodies.map((body) => body.includes('cca key'))).toEqual([true, false, false]);
    expect(bodies.map((body) => body.includes('the-token'))).toEqual([true, true, false]);
    expect(bodies.map((body) => body.includes('server: https://api.example.com:9345'))).toEqual([false, true, true]);
  });

  it("contains the servers' own token everywhere if Rancher's provider created the cluster", async () => {
    const reference = {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      name: 'demo',
      uid: 'u',
      controller: true,
    };
    const configOf = async (role: Role, secret: Secret) => {
      const { body } = await rke2.render(request(role, { storedSecret: async () => secret }));
      return { token: /[^-]token: (.*)/.exec(body)?.[1], agentToken: /agent-token: (.*)/.exec(body)?.[1] };
    };
    const hash = createHash('sha256').update('ca certificate').digest('hex');
    const roles: Role[] = ['init', 'control-plane', 'worker'];
    expect(await Promise.all(roles.map((role) => configOf(role, tokenSecret([reference]))))).toEqual([
      { token: 'the-token' },
      { token: `K10${hash}::server:the-token` },
      { token: `K10${hash}::node:the-token` },
    ]);
    const agentToken = agentTokenOf('the-token');
    expect(await Promise.all(roles.map((role) => configOf(role, tokenSecret())))).toEqual([
      { token: 'the-token', agentToken },
      { token: `K10${hash}::server:the-token`, agentToken },
      { token: `K10${hash}::node:${agentToken}` },
    ]);
  });

  it('names a server whose node is ready, if there is one, also for pools', async () => {
    const owner = controlPlane({ registrationMethod: 'internal-only-ips' });
    const server = (name: string, address: string, status: string) => {
      const made = machine(name, { addresses: [['InternalIP', address]] });
      return { ...made, status: { ...made.status, conditions: [{ type: 'NodeReady', status }] } } as Machine;
    };
    const dead = [server('a', '10.0.0.1', 'Unknown'), server('b', '10.0.0.2', 'False')];
    const urlIn = async (machines: Machine[], over: Partial<BootstrapRequest> = {}) => {
      const made = { controlPlane: owner, machines: async () => machines, ...over };
      const { body } = await rke2.render(request('control-plane', made));
      return /server: https:\/\/(.*):9345/.exec(body)?.[1];
    };
    const all = [...dead, server('d', '10.0.0.4', 'True'), server('c', '10.0.0.3', 'True')];
    expect([await urlIn(all), await urlIn(dead)]).toEqual(['10.0.0.3', '10.0.0.1']);

    const ofPool = machine('pool', {});
    ofPool.metadata.labels = { 'cluster.x-k8s.io/pool-name': 'pool' };
    for (const machines of [all, dead]) {
      const host = await urlIn(machines);
      expect(await urlIn(machines, { machine: ofPool })).toBe(host);
      expect(rke2.joining?.(owner, cluster, machines)).toMatchObject({ host });
    }
    expect(rke2.status(owner, {}, { cluster, machines: all })).toMatchObject({
      availableServerIPs: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'],
    });
  });

  it.each([
    { over: { storedSecret: async () => undefined }, message: 'secret demo-token key value: is missing' },
    {
      over: { controlPlane: null },
      message: 'Cluster spec.controlPlaneRef: does not name an existing RKE2ControlPlane',
    },
    {
      over: { controlPlane: controlPlane({ registrationMethod: 'internal-first' }) },
      message: 'no server has an address yet for spec.registrationMethod internal-first',
    },
    {
      over: { controlPlane: controlPlane({ manifestsConfigMapReference: { name: 'absent' } }) },
      message: 'spec.manifestsConfigMapReference: there is no ConfigMap "absent"',
    },
    {
      over: { joinsInService: true },
      message: 'RKE2Config is not supported for a pool with a warm pool',
    },
  ])('are refused with the reason: $message', async ({ over, message }) => {
    await expect(rke2.render(request('control-plane', over))).rejects.toThrow(message);
  });
});

describe('the health of an RKE2 server', () => {
  it('has a condition for each enabled component', () => {
    const scheduler = { disableComponents: { kubernetesComponents: ['scheduler'] } };
    expect(rke2.healthConditions(controlPlane()).components).toContain('SchedulerPodHealthy');
    expect(rke2.healthConditions(controlPlane({ serverConfig: scheduler })).components).not.toContain(
      'SchedulerPodHealthy',
    );
    const external = { externalDatastoreSecret: { name: 'datastore' } };
    expect(rke2.healthConditions(controlPlane({ serverConfig: external })).etcd).toEqual([]);
    const node = { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    const claims = rke2.health(node as never, [], { machine: {} as never });
    expect(claims.map(({ type, status }) => `${type} ${status}`)).toContain('AgentHealthy False');
  });
});

describe('the replacement of unhealthy machines', () => {
  it('uses the limits of the control plane, read as durations', () => {
    const remediationStrategy = { maxRetry: 2, retryPeriod: '1m30s', minHealthyPeriod: '2h' };
    expect(rke2.remediation(controlPlane({ remediationStrategy }))).toEqual({
      retryPeriodName: 'RetryPeriod',
      ...{ maxRetry: 2, retryPeriodSeconds: 90, minHealthyPeriodSeconds: 7200 },
    });
    expect(rke2.remediation(controlPlane())).toEqual({ retryPeriodName: 'RetryPeriod' });
  });

  it('is reported with the fields of the provider', () => {
    const data = { machine: 'a', timestamp: '2026-01-01T00:00:00Z', retryCount: 1 };
    const annotations = { 'controlplane.cluster.x-k8s.io/remediation-for': JSON.stringify(data) };
    const replacement = { ...machine('b', {}), metadata: { name: 'b', annotations } } as Machine;
    const statusWith = (machines: Machine[]) => rke2.status(controlPlane(), {}, { cluster, machines });
    expect(statusWith([replacement])).toMatchObject({ lastRemediation: data });
    expect(statusWith([])).not.toHaveProperty('lastRemediation');
  });
});
