import type { V1Node } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineHealthCheck } from '../../kinds/index.ts';
import { type HealthFacts, planHealth } from './plan.ts';

const NOW = new Date('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(NOW.getTime() - seconds * 1000).toISOString();
const condition = (type: string, status: string, seconds: number, reason = 'Because') => ({
  ...{ type, status, reason, message: '' },
  lastTransitionTime: ago(seconds),
});

const CLUSTER_NAME = 'cluster.x-k8s.io/cluster-name';
const CONTROL_PLANE = 'cluster.x-k8s.io/control-plane';

const cluster = (initialized = true, infrastructure: 'True' | 'False' = 'True') =>
  ({
    metadata: { name: 'red', namespace: 'default', uid: 'u' },
    status: {
      conditions: [
        condition('InfrastructureReady', infrastructure, 5000),
        condition('ControlPlaneInitialized', initialized ? 'True' : 'False', 4000),
      ],
    },
  }) as unknown as Cluster;

const check = (spec: object = {}) =>
  ({
    kind: 'MachineHealthCheck',
    metadata: { name: 'workers', namespace: 'default' },
    spec: {
      clusterName: 'red',
      selector: { matchLabels: { pool: 'a' } },
      checks: {
        nodeStartupTimeoutSeconds: 600,
        unhealthyNodeConditions: [
          { type: 'Ready', status: 'Unknown', timeoutSeconds: 300 },
          { type: 'Ready', status: 'False', timeoutSeconds: 60 },
        ],
        unhealthyMachineConditions: [{ type: 'example.com/Disk', status: 'False', timeoutSeconds: 0 }],
      },
      ...spec,
    },
  }) as unknown as MachineHealthCheck;

const machine = (
  name: string,
  over: {
    node?: false;
    born?: number;
    annotations?: object;
    labels?: object;
    conditions?: object[];
    deleting?: true;
  } = {},
) =>
  ({
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'default',
      labels: { [CLUSTER_NAME]: 'red', pool: 'a', ...over.labels },
      annotations: over.annotations,
      creationTimestamp: ago(over.born ?? 9000),
      ...(over.deleting ? { deletionTimestamp: ago(1) } : {}),
    },
    spec: { clusterName: 'red' },
    status: { ...(over.node === false ? {} : { nodeRef: { name } }), conditions: over.conditions ?? [] },
  }) as unknown as Machine;

const node = (name: string, ready: 'True' | 'False' | 'Unknown' = 'True', seconds = 9000): V1Node => ({
  metadata: { name },
  // The client library parses times into dates.
  status: { conditions: [{ ...condition('Ready', ready, seconds), lastTransitionTime: new Date(ago(seconds)) }] },
});

const nodes = (...list: V1Node[]) => new Map(list.map((one) => [one.metadata?.name ?? '', one]));

const plan = (over: Partial<HealthFacts>) =>
  planHealth({
    cluster: cluster(),
    check: check(),
    machines: [machine('m')],
    nodes: nodes(node('m')),
    initMachine: undefined,
    now: NOW,
    ...over,
  });

/** The verdict on the only machine, as one line of text. */
const verdict = (over: Partial<HealthFacts>): string => {
  const [target] = plan(over).targets;
  if (!target) return 'no target';
  const { verdict: found } = target;
  if (found.is === 'unhealthy') return `${found.claim.reason}: ${found.claim.message}`;
  const seconds = found.next ? ` in ${(found.next - NOW.getTime()) / 1000}s` : '';
  return `${found.is}${seconds}`;
};

const failed = (reason: string, ...lines: string[]) =>
  [`${reason}: Health check failed:`, ...lines.map((line) => `  * ${line}`)].join('\n');

describe('the verdict on a machine', () => {
  const notReady = { nodes: nodes(node('m', 'Unknown', 301)) };
  it.each<{ reason: string; given: Partial<HealthFacts>; is: string }>([
    { reason: 'whose node is Ready', given: {}, is: 'healthy' },
    {
      reason: 'whose node is not Ready for longer than the timeout',
      given: { nodes: nodes(node('m', 'False', 61)) },
      is: failed(
        'UnhealthyNode',
        'Condition Ready on Node is reporting status False with reason Because for more than 1m0s',
      ),
    },
    {
      reason: 'whose node has just stopped being Ready',
      given: { nodes: nodes(node('m', 'Unknown', 100)) },
      is: 'pending in 201s',
    },
    {
      reason: 'whose instance was lost just now, which its node does not show yet',
      given: { machines: [machine('m', { conditions: [condition('InfrastructureReady', 'False', 10)] })] },
      is: 'healthy in 50s',
    },
    {
      reason: 'whose instance was lost just now, as its node shows',
      given: {
        machines: [machine('m', { conditions: [condition('InfrastructureReady', 'False', 10)] })],
        nodes: nodes(node('m', 'Unknown', 5)),
      },
      is: 'pending in 296s',
    },
    {
      reason: 'whose node is Ready although its infrastructure is not, for a while',
      given: { machines: [machine('m', { conditions: [condition('InfrastructureReady', 'False', 60)] })] },
      is: 'healthy',
    },
    {
      reason: 'whose node is gone',
      given: { nodes: nodes(node('other')) },
      is: failed('NodeDeleted', 'Node m has been deleted'),
    },
    { reason: 'whose node could not be observed', given: { nodes: undefined }, is: 'pending' },
    {
      reason: 'without a node for too long',
      given: { machines: [machine('m', { node: false })] },
      is: failed('NodeStartupTimeout', 'Node failed to report startup in 10m0s'),
    },
    {
      reason: 'whose instance was launched just now',
      given: { machines: [machine('m', { node: false, conditions: [condition('InfrastructureReady', 'True', 500)] })] },
      is: 'pending in 101s',
    },
    {
      reason: 'without a startup timeout',
      given: {
        machines: [machine('m', { node: false })],
        check: check({ checks: { nodeStartupTimeoutSeconds: 0 } }),
      },
      is: 'pending',
    },
    {
      reason: 'with an unhealthy condition of its own, and of its node',
      given: {
        ...notReady,
        machines: [machine('m', { conditions: [condition('example.com/Disk', 'False', 1, 'Full')] })],
      },
      is: failed(
        'UnhealthyMachine',
        'Condition example.com/Disk on Machine is reporting status False with reason Full for more than 0s',
        'Condition Ready on Node is reporting status Unknown with reason Because for more than 5m0s',
      ),
    },
    {
      reason: 'that the user has marked, though it is healthy',
      given: { machines: [machine('m', { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } })] },
      is: 'HasRemediateAnnotation: Health check failed: marked for remediation via cluster.x-k8s.io/remediate-machine annotation',
    },
    { reason: 'that is being deleted', given: { machines: [machine('m', { deleting: true })] }, is: 'pending' },
    {
      reason: 'that is to be skipped',
      given: { ...notReady, machines: [machine('m', { annotations: { 'cluster.x-k8s.io/skip-remediation': '' } })] },
      is: 'no target',
    },
    {
      reason: 'that is paused',
      given: { ...notReady, machines: [machine('m', { annotations: { 'cluster.x-k8s.io/paused': '' } })] },
      is: 'no target',
    },
    {
      reason: 'of another cluster, with the same labels',
      given: { ...notReady, machines: [machine('m', { labels: { [CLUSTER_NAME]: 'blue' } })] },
      is: 'no target',
    },
    { reason: 'that is not selected', given: { machines: [machine('m', { labels: { pool: 'b' } })] }, is: 'no target' },
    {
      reason: 'of a cluster whose network is not ready',
      given: { cluster: cluster(true, 'False'), machines: [machine('m', { node: false })] },
      is: 'pending',
    },
  ])('$reason', ({ given, is }) => {
    expect(verdict(given)).toBe(is);
  });

  describe('the startup timeout before the control plane is initialized', () => {
    const late = (name: string, labels: object = { [CONTROL_PLANE]: '' }) => machine(name, { node: false, labels });
    it.each([
      { reason: 'applies to the machine that initializes it', of: late('first'), is: 'NodeStartupTimeout' },
      { reason: 'does not apply to machines that wait for that one', of: late('second'), is: 'pending' },
      { reason: 'does not apply to workers', of: late('worker', {}), is: 'pending' },
    ])('$reason', ({ of, is }) => {
      const given = { cluster: cluster(false), nodes: undefined, initMachine: 'first', machines: [of] };
      expect(verdict(given)).toMatch(new RegExp(`^${is}`));
    });
  });
});

describe('remediation', () => {
  const three = [machine('a'), machine('b'), machine('c')];
  const bad = (...names: string[]) =>
    nodes(...['a', 'b', 'c'].map((name) => node(name, names.includes(name) ? 'False' : 'True')));
  const triggered = (triggerIf: object, unhealthy: string[]) =>
    plan({ check: check({ remediation: { triggerIf } }), machines: three, nodes: bad(...unhealthy) }).trigger;

  it.each([
    { when: { unhealthyLessThanOrEqualTo: 1 }, unhealthy: ['a'], remediations: 0 },
    { when: { unhealthyLessThanOrEqualTo: '67%' }, unhealthy: ['a'], remediations: 1 },
    { when: {}, unhealthy: ['a', 'b', 'c'], remediations: 0 },
    { when: { unhealthyInRange: '[1-3]' }, unhealthy: ['a'], remediations: 2 },
  ])('is allowed for $unhealthy when $when', ({ when, unhealthy, remediations }) => {
    expect(triggered(when, unhealthy)).toEqual({ allowed: true, remediations });
  });

  it.each([
    {
      when: { unhealthyLessThanOrEqualTo: '40%' },
      unhealthy: ['a', 'b'],
      why: 'exceeds maxUnhealthy (total: 3, unhealthy: 2, maxUnhealthy: 40%)',
    },
    {
      when: { unhealthyInRange: '[2-3]' },
      unhealthy: ['a'],
      why: 'does not fall within the range (total: 3, unhealthy: 1, unhealthyRange: [2-3])',
    },
    { when: { unhealthyInRange: '[3-2]' }, unhealthy: ['a'], why: 'max value 2 cannot be less than min value 3' },
  ])('is not allowed for $unhealthy when $when', ({ when, unhealthy, why }) => {
    expect(triggered(when, unhealthy)).toMatchObject({
      allowed: false,
      remediations: 0,
      message: expect.stringContaining(why),
    });
  });

  it('counts a machine that will become unhealthy as not healthy, and reports when', () => {
    const seen = nodes(node('a'), node('b', 'False', 50), node('c', 'Unknown', 50));
    const found = plan({ machines: three, nodes: seen });
    expect(found).toMatchObject({ healthy: 1, unhealthy: 0, nextCheck: new Date(NOW.getTime() + 11_000) });
  });
});
