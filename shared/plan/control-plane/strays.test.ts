import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import { withConditions } from '../status/conditions.ts';
import type { EtcdMembership } from './etcd-view.ts';
import { readStrays, type StrayFacts, strayClaims } from './strays.ts';

const machine = (node?: string, metadata: object = {}): Machine =>
  ({
    metadata: { name: `m-${node}`, ...metadata },
    spec: {},
    status: node ? { nodeRef: { name: node } } : {},
  }) as Machine;
const node = (name: string, isControlPlane = true): V1Node => ({
  metadata: { name, labels: isControlPlane ? { 'node-role.kubernetes.io/control-plane': '' } : {} },
});
const etcdOf = (...names: string[]): EtcdMembership => ({
  members: names.map((name, at) => ({ id: `id${at}`, name, learner: false, hosts: [] })),
  alarms: new Map(),
});

const found = (facts: Partial<StrayFacts>, before: Parameters<typeof strayClaims>[0] = undefined) => {
  const all = { machines: [machine('a')], nodes: [node('a')], etcd: etcdOf('a'), ...facts };
  return withConditions(before, strayClaims(before, all), 1, new Date(0));
};
const NODE = 'Control plane Node b does not have a corresponding Machine';
const MEMBER = 'Etcd member b does not have a corresponding Machine';

describe('nodes and members of etcd without a machine', () => {
  it('are reported as long as they exist', () => {
    const first = found({ nodes: [node('a'), node('b'), node('c', false)], etcd: etcdOf('a', 'b') });
    expect(readStrays(first)).toEqual({ members: [MEMBER], nodes: [NODE] });
    const last = found({}, first);
    expect([last, readStrays(last)]).toMatchObject([[{ status: 'False' }], { members: [], nodes: [] }]);
  });

  it('cause no condition on a control plane that never had any', () => {
    expect(found({})).toEqual([]);
  });

  it('include a member that was added and has never started', () => {
    expect(readStrays(found({ etcd: etcdOf('a', '') })).members).toEqual([
      'Etcd member id1 (Name not yet assigned) does not have a corresponding Machine',
    ]);
  });

  it('are named up to a limit', () => {
    const nodes = ['a', 'g', 'f', 'e', 'd', 'c', 'b'].map((name) => node(name));
    const lines = readStrays(found({ nodes })).nodes;
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      6,
      NODE,
      'Control plane Node: 1 more without a corresponding Machine',
    ]);
  });

  it('may belong to a machine that is joining, but not to one that is being deleted', () => {
    const nodes = [node('a'), node('b')];
    expect(readStrays(found({ machines: [machine('a'), machine()], nodes })).nodes).toEqual([]);
    const leaving = machine(undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(readStrays(found({ machines: [machine('a'), leaving], nodes })).nodes).toEqual([NODE]);
  });

  it('are kept from the last query while etcd is not queried', () => {
    const first = found({ etcd: etcdOf('a', 'b') });
    expect(readStrays(found({ etcd: undefined }, first)).members).toEqual([MEMBER]);
  });
});
