import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineHealthCheck } from '../../../shared/kinds/index.ts';
import { makeReadBudget } from '../../../shared/kube-api/storage/read-budget.ts';
import { withVerdict } from '../../../shared/plan/health/machine.ts';
import { planHealth } from '../../../shared/plan/health/plan.ts';
import { withHealth } from '../../../shared/plan/health/status.ts';
import { SWEEP_LIMITS } from '../memory-limits.ts';
import { checksOf, isHealthDrift, readChecks } from './health-drift.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const EARLIER = '2026-03-01T10:00:00Z';
const isTrue = (type: string) => ({ type, status: 'True', reason: type, message: '', lastTransitionTime: EARLIER });

const cluster = {
  kind: 'Cluster',
  metadata: { namespace: 'default', name: 'red', uid: 'u', generation: 1 },
  spec: {},
  status: { conditions: [isTrue('ControlPlaneInitialized'), isTrue('InfrastructureReady')] },
} as unknown as Cluster;

const LABELS = { 'cluster.x-k8s.io/cluster-name': 'red' };

const machine = (name: string): Machine =>
  ({
    kind: 'Machine',
    metadata: { namespace: 'default', name, uid: name, labels: LABELS, creationTimestamp: EARLIER },
    spec: { clusterName: 'red' },
    status: { nodeRef: { name: `node-${name}` }, conditions: [isTrue('InfrastructureReady')] },
  }) as unknown as Machine;

const check = {
  kind: 'MachineHealthCheck',
  metadata: { namespace: 'default', name: 'check', uid: 'c', generation: 1 },
  spec: {
    clusterName: 'red',
    selector: { matchLabels: LABELS },
    checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
  },
} as unknown as MachineHealthCheck;

const node = (name: string, status = 'True', since = EARLIER): V1Node => ({
  metadata: { name: `node-${name}` },
  status: { conditions: [{ type: 'Ready', status, lastTransitionTime: new Date(since) }] },
});

/** The state after a pass has recorded what it saw of these nodes. */
const settled = (nodes: readonly V1Node[]) => {
  const machines = [machine('one'), machine('two')];
  const known = new Map(nodes.map((one) => [one.metadata?.name ?? '', one]));
  const plan = planHealth({ cluster, check, machines, nodes: known, initMachine: undefined, now: NOW });
  const written = plan.targets.map(({ machine: target, verdict }) =>
    verdict.is === 'pending' ? target : (withVerdict(target, verdict, { by: 'owner' }, NOW) ?? target),
  );
  // The API stores neither undefined values nor empty maps.
  const { annotations, ...metadata } = withHealth(cluster, check, plan, NOW).metadata;
  const kept = annotations && Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata;
  return { cluster, checks: [{ ...withHealth(cluster, check, plan, NOW), metadata: kept }], machines: written };
};

const later = (minutes: number) => ({
  clock: { now: () => new Date(NOW.getTime() + minutes * 60_000), sleep: async () => {} },
});
const WELL = [node('one'), node('two')];

describe('the result of health checks in a sweep', () => {
  it('is not a change if it equals the recorded result, however much later', () => {
    expect(isHealthDrift(later(60), { ...settled(WELL), seen: WELL })).toBe(false);
  });

  it.each([
    {
      what: 'a node has stopped reporting',
      seen: [node('one'), node('two', 'Unknown', '2026-03-01T12:01:00Z')],
    },
    { what: 'a node has not reported for too long', seen: [node('one'), node('two', 'Unknown')] },
    { what: 'a node is gone', seen: [node('one')] },
  ])('is a change if $what', ({ seen }) => {
    expect(isHealthDrift(later(2), { ...settled(WELL), seen })).toBe(true);
  });

  it('is a change if a node is back', () => {
    const before = [node('one'), node('two', 'Unknown', '2026-03-01T11:58:00Z')];
    expect(isHealthDrift(later(1), { ...settled(before), seen: before })).toBe(false);
    expect(isHealthDrift(later(1), { ...settled(before), seen: WELL })).toBe(true);
  });

  it('is a change if a check has never been evaluated', () => {
    const { machines } = settled(WELL);
    expect(isHealthDrift(later(1), { cluster, checks: [check], machines, seen: WELL })).toBe(true);
  });

  it('is not a change if the API server returns no node at all, or if no check applies', () => {
    expect(isHealthDrift(later(1), { ...settled(WELL), seen: [] })).toBe(false);
    expect(isHealthDrift(later(1), { ...settled(WELL), checks: [], seen: [node('one')] })).toBe(false);
  });
});

it('evaluates only checks that are not paused, and only once the control plane is initialized', async () => {
  const paused = {
    ...check,
    metadata: { ...check.metadata, name: 'paused', annotations: { 'cluster.x-k8s.io/paused': '' } },
  };
  const other = { ...check, spec: { ...check.spec, clusterName: 'blue' } };
  const checks = await readChecks(
    { objects: { survey: async () => [check, paused, other] } as never },
    ['default'],
    makeReadBudget(SWEEP_LIMITS),
  );
  expect(checksOf(checks, cluster)).toEqual([check]);
  expect(checksOf(checks, { ...cluster, status: {} } as Cluster)).toEqual([]);
});
