import { describe, expect, it } from 'vitest';
import type { Host, Machine, RKE2ControlPlane } from '../../kinds/index.ts';
import { changesRefused, leavingHosts, leavingMachines, machinesToReplace, type Standing } from './changes.ts';
import { ROLE_LABEL } from './names.ts';
import { serverConfigsOf } from './rke2.ts';
import { ALL_ROLES, aNode, configOf } from './test-config.ts';

const SERVER = ['controlplane', 'etcd'];
const VERSION = 'v1.34.2+rke2r1';

const host = (number: number, role: string): Host =>
  ({
    metadata: { name: `10.0.0.${number}`, labels: { [ROLE_LABEL]: role } },
    status: { claim: { machine: `m-${number}`, uid: `u-${number}`, since: '' } },
  }) as never;

const machine = (number: number, isServer: boolean, deletionTimestamp?: string): Machine =>
  ({
    metadata: {
      name: `m-${number}`,
      labels: isServer ? { 'cluster.x-k8s.io/control-plane': '' } : {},
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
    },
    spec: { infrastructureRef: { name: `m-${number}` } },
  }) as never;

/** `servers` and `workers` are the numbers of the nodes in each role. */
const standing = (servers: readonly number[], workers: readonly number[], going?: number): Standing => ({
  hosts: [...servers.map((one) => host(one, 'controlplane')), ...workers.map((one) => host(one, 'worker'))],
  machines: [...servers, ...workers].map((one) =>
    machine(one, servers.includes(one), one === going ? '2026-01-01T00:00:00Z' : undefined),
  ),
  controlPlane: undefined,
  deployment: undefined,
});

const config = (servers: readonly number[], workers: readonly number[], more: object = {}) =>
  configOf({
    ...more,
    nodes: [...servers.map((one) => aNode(one, SERVER)), ...workers.map((one) => aNode(one, ['worker']))],
  });

const names = (objects: readonly { metadata: { name: string } }[]) => objects.map(({ metadata }) => metadata.name);

describe('a change of nodes', () => {
  it.each([
    { reason: 'nothing changes', to: config([1], [2, 3]), hosts: [], machines: [], replaced: [] },
    { reason: 'a node is added', to: config([1], [2, 3, 4]), hosts: [], machines: [], replaced: [] },
    {
      ...{ reason: 'a node is removed, which a scale-down does', to: config([1], [3]) },
      ...{ hosts: ['10.0.0.2'], machines: ['m-2'], replaced: [] },
    },
    {
      ...{ reason: 'a node replaces another', to: config([1], [3, 4]) },
      ...{ hosts: ['10.0.0.2'], machines: ['m-2'], replaced: ['m-2'] },
    },
    {
      ...{ reason: 'a worker becomes a server', to: config([1, 2], [3]) },
      ...{ hosts: [], machines: ['m-2'], replaced: [] },
    },
  ])('deletes only the affected machines if $reason', ({ to, hosts, machines, replaced }) => {
    const from = standing([1], [2, 3]);
    expect(names(leavingHosts(to, from.hosts))).toEqual(hosts);
    expect(names(leavingMachines(to, from))).toEqual(machines);
    expect(names(machinesToReplace(to, from))).toEqual(replaced);
  });

  it('replaces one server at a time', () => {
    const to = config([1, 4, 5], []);
    expect(names(machinesToReplace(to, standing([1, 2, 3], [])))).toEqual(['m-2']);
    expect(machinesToReplace(to, standing([1, 2, 3], [], 2))).toEqual([]);
  });
});

describe('the refusal of a change', () => {
  const endpoint = { host: '10.0.0.1', port: 6443 };
  const facts = { endpoint, version: VERSION, isInitialized: true };
  const servers = (from: ReturnType<typeof config>, version = VERSION): RKE2ControlPlane =>
    ({ spec: { version, ...serverConfigsOf(from) } }) as never;
  const refusals = (to: ReturnType<typeof config>, from: Standing, over: object = {}) =>
    changesRefused({ ...facts, config: to, ...over }, from).map(({ field, message }) => `${field}: ${message}`);

  it('protects the node to which the endpoint points', () => {
    const message =
      'nodes: must keep 10.0.0.1 with the role controlplane, because the endpoint of the cluster leads there';
    expect(refusals(config([2], []), standing([1, 2], []))).toEqual([message]);
    expect(refusals(config([2], [], { authentication: { sans: ['10.0.0.1'] } }), standing([1, 2], []))).toEqual([]);
    expect(refusals(config([2], []), standing([1, 2], []), { isInitialized: false })).toEqual([]);
  });

  it('protects the last running server', () => {
    const sans = { authentication: { sans: ['api.example.com'] } };
    const over = { endpoint: { host: 'api.example.com', port: 6443 } };
    expect(refusals(config([3], [], sans), standing([1, 2], []), over)).toEqual([
      'nodes: must keep a node of the control plane that runs: the cluster would be lost with all of them',
    ]);
    expect(refusals(config([2, 3], [], sans), standing([1, 2], []), over)).toEqual([]);
  });

  it('covers a change that requires another server than the existing one', () => {
    const before = config([1], [2]);
    const after = config([1], [2], { services: { kubelet: { extra_args: { 'max-pods': 250 } } } });
    const from = { ...standing([1], [2]), controlPlane: servers(before) };
    expect(refusals(before, from)).toEqual([]);
    expect(refusals(before, from, { version: 'v1.34.3+rke2r1' })).toEqual([
      expect.stringMatching(/^kubernetes_version: cannot be changed with fewer than three nodes/),
    ]);
    expect(refusals(after, from)).toEqual([
      expect.stringMatching(/^services: and other settings of the control plane cannot be changed/),
    ]);
    const three = { ...standing([1, 2, 3], []), controlPlane: servers(config([1, 2, 3], [])) };
    const version = 'v1.34.3+rke2r1';
    expect(refusals(config([1, 2, 3], []), three, { version })).toEqual([
      expect.stringMatching(/^kubernetes_version: cannot be changed while the endpoint .* is the address of a node/),
    ]);
    const balanced = config([1, 2, 3], [], { authentication: { sans: ['api.example.com'] } });
    const before3 = { ...three, controlPlane: servers(balanced) };
    const over = { version, endpoint: { host: 'api.example.com', port: 6443 } };
    expect(refusals(balanced, before3, over)).toEqual([]);
  });

  it('does not depend on defaults', () => {
    const nodes = [aNode(1, ALL_ROLES)];
    const one = configOf({ nodes });
    const { agentConfig } = serverConfigsOf(one);
    const controlPlane = {
      spec: { version: VERSION, agentConfig: { ...agentConfig, format: 'cloud-config' } },
    } as never;
    expect(refusals(one, { ...standing([1], []), controlPlane })).toEqual([]);
  });
});
