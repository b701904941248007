import { describe, expect, it } from 'vitest';
import { kubeadm } from '../../../shared/distributions/kubeadm/distribution.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import { lossOperations, probeOperations, type Seen } from './probe-operations.ts';

const machine = (name: string, change: { nodeRef?: string; deletionTimestamp?: string } = {}): Machine =>
  ({
    metadata: {
      name,
      labels: { 'cluster.x-k8s.io/control-plane': '' },
      ...(change.deletionTimestamp ? { deletionTimestamp: change.deletionTimestamp } : {}),
    },
    spec: { bootstrap: { configRef: { name } }, providerID: `aws:///a/${name}` },
    status: change.nodeRef ? { nodeRef: { name: change.nodeRef } } : {},
  }) as unknown as Machine;

const snapshotOf = (machines: Machine[], isReachable = false): ClusterSnapshot =>
  ({
    cluster: { status: { conditions: isReachable ? [{ type: 'RemoteConnectionProbe', status: 'True' }] : [] } },
    controlPlane: { metadata: { name: 'cp' }, spec: {} },
    distribution: kubeadm,
    machines,
    infrastructureCluster: null,
    infrastructureMachines: new Map(machines.map(({ metadata: { name } }) => [name, { facts: { decidedAt: 'then' } }])),
  }) as unknown as ClusterSnapshot;

const reached: Seen = { reached: true, nodes: [], pods: [], initialized: true, etcd: undefined, claims: [] };
const kindsOf = (snapshot: ClusterSnapshot, seen: Seen) =>
  probeOperations({ snapshot, seen, configs: new Map() }).map((one) => one.do);

describe('the operations after a probe', () => {
  it('report the first initialization if a machine remains', () => {
    const staying = snapshotOf([machine('a')]);
    expect(kindsOf(staying, reached)).toEqual(['report-connection', 'report-initialized']);
    const going = snapshotOf([machine('a', { deletionTimestamp: '2026-11-20T12:00:00Z' })]);
    expect(kindsOf(going, reached)).toEqual(['report-connection']);
  });

  it('report as unreachable only machines that had a node', () => {
    const snapshot = snapshotOf([machine('a', { nodeRef: 'n' }), machine('b')]);
    const operations = probeOperations({ snapshot, seen: { reached: false, why: 'no route' }, configs: new Map() });
    expect(operations.map((one) => one.do)).toEqual(['report-connection', 'report-machine']);
    expect(operations[1]).toMatchObject({
      machine: { metadata: { name: 'a' } },
      observation: { node: { why: 'no route' } },
    });
  });

  it('set the certificate expiry if the configuration of the cluster was read', () => {
    const snapshot = snapshotOf([machine('a', { nodeRef: 'n' }), machine('b')]);
    const stored = { ClusterConfiguration: 'kind: ClusterConfiguration' };
    const operations = probeOperations({ snapshot, seen: { ...reached, stored }, configs: new Map() });
    expect(operations.filter((one) => one.do === 'date-certificates')).toEqual([
      { do: 'date-certificates', config: 'a', decidedAt: 'then', stored },
    ]);
  });

  it('report the loss of the connection once', () => {
    expect(lossOperations(snapshotOf([], true), 'no machine')).toMatchObject([
      { do: 'report-connection', claim: { status: 'False', message: 'no machine' } },
    ]);
    expect(lossOperations(snapshotOf([]), 'no machine')).toEqual([]);
  });
});
