import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import type { Machine } from '../../kinds/index.ts';
import type { EtcdMembership } from '../control-plane/etcd-view.ts';
import { ENOUGH } from '../machines/test-node.ts';
import { hasNodeNews } from './node-news.ts';

const ID = 'aws:///us-east-1a/i-1';
const node = (ready: 'True' | 'False' | 'Unknown', providerID = ID) => ({
  metadata: { name: 'n' },
  spec: { providerID },
  status: { conditions: [{ type: 'Ready', status: ready as string }, ...ENOUGH] },
});
const pressed = ({ status, ...rest }: ReturnType<typeof node>) => ({
  ...rest,
  status: {
    conditions: status.conditions.map((one) => (one.type === 'DiskPressure' ? { ...one, status: 'True' } : one)),
  },
});
const machine = (status: object, metadata: object = {}): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm', ...metadata },
    spec: { providerID: ID },
    status,
  }) as Machine;
const conditions = (claims: Record<string, string>) =>
  Object.entries(claims).map(([type, status]) => ({ type, status, reason: type, lastTransitionTime: '' }));
const joined = (ready: string) => ({
  nodeRef: { name: 'n' },
  conditions: conditions({ NodeReady: ready, NodeHealthy: ready }),
});
const seen = (nodes: V1Node[], pods?: V1Pod[], etcd?: EtcdMembership) => ({ nodes, pods, etcd });
const TIME = '2026-01-01T00:00:00Z';

it.each([
  ['the node of a machine that waited for one', machine({}), [node('False')]],
  ['a node that has become ready', machine(joined('False')), [node('True')]],
  ['a node that is no longer ready', machine(joined('True')), [node('False')]],
  ['a node whose kubelet does not report', machine(joined('True')), [node('Unknown')]],
  ['a node under pressure', machine(joined('True')), [pressed(node('True'))]],
])('hasNodeNews is true for %s', (_, waiting, nodes) => {
  expect(hasNodeNews([waiting], seen(nodes))).toBe(true);
});

it.each([
  ['a node that is still not ready', machine(joined('False')), [node('False')]],
  ['a node that is known to be ready', machine(joined('True')), [node('True')]],
  ['a node of another instance', machine({}), [node('True', 'aws:///us-east-1a/i-2')]],
  ['the node of a machine that is being deleted', machine({}, { deletionTimestamp: TIME }), [node('True')]],
])('hasNodeNews is false for %s', (_, waiting, nodes) => {
  expect(hasNodeNews([waiting], seen(nodes))).toBe(false);
});

it.each([
  ['true for another kubelet', { kubeletVersion: 'v1.35.1', kernelVersion: '6.8' }, true],
  [
    'false for the same system, described in more detail',
    { kubeletVersion: 'v1.35.0', kernelVersion: '6.8', more: 'x' },
    false,
  ],
])('hasNodeNews is %s', (_, nodeInfo, isNews) => {
  const known = { ...joined('True'), nodeInfo: { kubeletVersion: 'v1.35.0', kernelVersion: '6.8' } };
  const { status, ...rest } = node('True');
  const other = { ...rest, status: { ...status, nodeInfo } } as unknown as ReturnType<typeof node>;
  expect(hasNodeNews([machine(known)], seen([other]))).toBe(isNews);
});

it('hasNodeNews assigns a node to its machine, and not to a copy of the machine', () => {
  const original = machine(joined('True'), { uid: 'original', creationTimestamp: TIME });
  const copy = machine({}, { uid: 'copy', creationTimestamp: '2026-01-02T00:00:00Z' });
  expect(hasNodeNews([copy, original], seen([node('True')]))).toBe(false);
});

const HEALTH = {
  APIServerPodHealthy: 'True',
  ControllerManagerPodHealthy: 'True',
  SchedulerPodHealthy: 'True',
  EtcdPodHealthy: 'True',
  EtcdMemberHealthy: 'True',
};
const pods = (ready: string) =>
  ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map((component) => ({
    metadata: { name: `${component}-n` },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: component === 'kube-scheduler' ? ready : 'True' }],
    },
  }));
const withHealth = (health: Record<string, string>): Machine =>
  machine({ nodeRef: { name: 'n' }, conditions: conditions({ NodeReady: 'True', NodeHealthy: 'True', ...health }) });

it.each([
  ['is no longer ready', withHealth(HEALTH), pods('False')],
  ['has become ready', withHealth({ ...HEALTH, SchedulerPodHealthy: 'False' }), pods('True')],
  ['no longer exists', withHealth(HEALTH), []],
])('hasNodeNews is true for a control plane pod that %s', (_, known, read) => {
  expect(hasNodeNews([known], seen([node('True')], read))).toBe(true);
});

it.each([
  ['are as the conditions of the machine report them', withHealth(HEALTH), pods('True')],
  ['were not read', withHealth(HEALTH), undefined],
  ['belong to a machine without these conditions', withHealth({}), pods('False')],
])('hasNodeNews is false for control plane pods that %s', (_, known, read) => {
  expect(hasNodeNews([known], seen([node('True')], read))).toBe(false);
});

const member = { id: 'a', name: 'n', learner: false, hosts: [] };
const membership = (alarm?: string) => ({ members: [member], alarms: new Map(alarm ? [['a', alarm]] : []) });
const alarmed = { ...HEALTH, EtcdMemberHealthy: 'False' };

it.each([
  ['true for an alarm that etcd has raised', HEALTH, membership('NOSPACE'), true],
  ['true for an alarm that is over', alarmed, membership(), true],
  ['false for an alarm that is already reported', alarmed, membership('NOSPACE'), false],
  ['false for a reported alarm while etcd does not respond', alarmed, undefined, false],
])('hasNodeNews is %s', (_, health, etcd, isNews) => {
  expect(hasNodeNews([withHealth(health)], seen([node('True')], pods('True'), etcd))).toBe(isNews);
});
