import { describe, expect, it } from 'vitest';
import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Cluster, Machine } from '../../kinds/index.ts';
import { isNodeDeletionAllowed } from './stages.ts';

const cluster = { metadata: { name: 'red' } } as Cluster;
const controlPlane = (status: ControlPlane['status'], deletionTimestamp?: string) =>
  ({ metadata: { name: 'red', ...(deletionTimestamp ? { deletionTimestamp } : {}) }, status }) as ControlPlane;
const machine = (name: string, labels = {}) =>
  ({ metadata: { name, uid: name, labels }, spec: {}, status: { nodeRef: { name } } }) as Machine;

const worker = machine('w');
const managed = { externalManagedControlPlane: true } as const;

describe('isNodeDeletionAllowed', () => {
  const AT = '2026-01-01T00:00:00Z';
  it.each([
    { why: 'a control plane machine remains', of: controlPlane({}), more: ['c'], is: true },
    { why: 'no control plane machine remains', of: controlPlane({}), more: [], is: false },
    { why: 'the control plane is a service without machines', of: controlPlane(managed), more: [], is: true },
    { why: 'such a control plane is being deleted', of: controlPlane(managed, AT), more: [], is: false },
  ])('is $is if $why', ({ of, more, is }) => {
    const others = more.map((name) => machine(name, { 'cluster.x-k8s.io/control-plane': '' }));
    expect(isNodeDeletionAllowed(worker, { cluster, controlPlane: of, machines: [worker, ...others] })).toBe(is);
  });
});
