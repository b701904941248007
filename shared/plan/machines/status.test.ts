import { describe, expect, it } from 'vitest';
import type { AWSMachine, KubeadmConfig, Machine } from '../../kinds/index.ts';
import { type MachineObservation, withObservation } from './status.ts';
import { ENOUGH } from './test-node.ts';

const now = new Date('2026-01-01T00:00:00Z');
const machine = (over: Partial<Machine> = {}): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name: 'm', namespace: 'default', generation: 1 },
    spec: {
      clusterName: 'c',
      bootstrap: { configRef: { apiGroup: 'b', kind: 'KubeadmConfig', name: 'm' } },
      infrastructureRef: { apiGroup: 'i', kind: 'AWSMachine', name: 'm' },
    },
    ...over,
  }) as Machine;

const config = { status: { initialization: { dataSecretCreated: true } } } as KubeadmConfig;
const running = {
  spec: { providerID: 'aws:///us-east-1a/i-1' },
  status: { ready: true, instanceState: 'running' },
} as AWSMachine;
const pending = {
  spec: { providerID: 'aws:///us-east-1a/i-1' },
  status: { ready: false, instanceState: 'pending' },
} as AWSMachine;
const readyNode: MachineObservation['node'] = {
  seen: 'node',
  node: { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'True' }, ...ENOUGH] } },
};
const conditionOf = ({ status }: Machine, type: string) => status?.conditions?.find((found) => found.type === type);

describe('an observed machine', () => {
  it.each([
    { reason: 'no object was observed', seen: {}, phase: 'Pending' },
    { reason: 'the bootstrap data exists', seen: { config }, phase: 'Provisioning' },
    { reason: 'the instance has an id', seen: { config, infrastructure: pending }, phase: 'Provisioned' },
    { reason: 'the node exists', seen: { config, infrastructure: running, node: readyNode }, phase: 'Running' },
  ])('is $phase when $reason', ({ seen, phase }) => {
    expect(withObservation(machine(), seen as MachineObservation, now).status?.phase).toBe(phase);
  });

  it('is Deleting whatever else is true', () => {
    const deleting = machine({ metadata: { name: 'm', deletionTimestamp: '2026-01-01T00:00:00Z' } });
    const seen = { config, infrastructure: running, node: readyNode };
    expect(withObservation(deleting, seen, now).status?.phase).toBe('Deleting');
  });

  it('is Ready and Available when bootstrap, infrastructure and node are', () => {
    const next = withObservation(machine(), { config, infrastructure: running, node: readyNode }, now);
    expect(conditionOf(next, 'Ready')?.status).toBe('True');
    expect(conditionOf(next, 'Available')?.status).toBe('True');
  });

  it('has its current generation in the conditions that are written', () => {
    const first = withObservation(machine(), { config, infrastructure: running }, now);
    const changed = { ...first, metadata: { ...first.metadata, generation: 2 } };
    const next = withObservation(changed, { node: readyNode }, now);
    for (const type of ['BootstrapConfigReady', 'InfrastructureReady', 'Ready'])
      expect(conditionOf(next, type)?.observedGeneration, type).toBe(2);
  });

  it('keeps the generation of conditions that others write', () => {
    const others = { type: 'Custom', status: 'True', reason: 'R', message: '', lastTransitionTime: now.toISOString() };
    const given = machine({ status: { conditions: [{ ...others, observedGeneration: 1 }] } as Machine['status'] });
    given.metadata.generation = 2;
    expect(conditionOf(withObservation(given, {}, now), 'Custom')?.observedGeneration).toBe(1);
  });

  it('does not repeat in Available why it is not Ready', () => {
    const seen = withObservation(machine(), { config, infrastructure: running }, now);

    expect(conditionOf(seen, 'Ready')?.message).not.toBe('');
    expect(conditionOf(seen, 'Available')).toMatchObject({ status: 'False', reason: 'NotReady', message: '' });
  });

  it('is not Available before minReadySeconds have passed', () => {
    const slow = machine();
    slow.spec.minReadySeconds = 60;
    const first = withObservation(slow, { config, infrastructure: running, node: readyNode }, now);
    const soon = withObservation(first, { node: readyNode }, new Date(now.getTime() + 59_000));
    const late = withObservation(soon, { node: readyNode }, new Date(now.getTime() + 61_000));

    expect(conditionOf(soon, 'Available')).toMatchObject({ status: 'False', reason: 'WaitingForMinReadySeconds' });
    expect(conditionOf(late, 'Available')?.status).toBe('True');
  });

  it('is not Ready until the gates of its control plane are reported', () => {
    const gated = machine();
    gated.spec.readinessGates = [{ conditionType: 'EtcdPodHealthy' }];
    const next = withObservation(gated, { config, infrastructure: running, node: readyNode }, now);
    expect(conditionOf(next, 'Ready')).toMatchObject({
      status: 'Unknown',
      message: '* EtcdPodHealthy: Condition not yet reported',
    });
  });

  describe('with the gates of several components', () => {
    const types = ['APIServerPodHealthy', 'SchedulerPodHealthy', 'EtcdPodHealthy', 'EtcdMemberHealthy'];
    const readyOf = (messages: readonly string[]) => {
      const gated = machine();
      gated.spec.readinessGates = types.map((conditionType) => ({ conditionType }));
      const health = types.map((type, at) => ({
        ...{ type, status: messages[at] ? ('Unknown' as const) : ('True' as const), reason: 'R' },
        ...(messages[at] ? { message: messages[at] } : {}),
      }));
      const seen = { config, infrastructure: running, node: readyNode, health };
      return conditionOf(withObservation(gated, seen, now), 'Ready')?.message;
    };

    it('has one line for all gates that report the same', () => {
      expect(readyOf(['no node', 'no node', 'no node', 'silent'])).toBe(
        '* Control plane components: no node\n* EtcdMemberHealthy: silent',
      );
    });

    it('has a line for each gate if they differ, or if there is only one', () => {
      expect(readyOf(['no node', 'stale'])).toBe('* APIServerPodHealthy: no node\n* SchedulerPodHealthy: stale');
      expect(readyOf(['no node'])).toBe('* APIServerPodHealthy: no node');
    });
  });

  it('reports no issue for objects that are gone because the machine is being deleted', () => {
    const deleting = machine({ metadata: { name: 'm', deletionTimestamp: '2026-01-01T00:00:00Z' } });
    const node = { seen: 'absent', providerId: 'p' } as const;
    const next = withObservation(deleting, { config: null, infrastructure: running, node }, now);
    expect(conditionOf(next, 'BootstrapConfigReady')?.status).toBe('False');
    expect(conditionOf(next, 'Ready')).toMatchObject({
      status: 'False',
      message: '* Deleting: Machine deletion in progress, stage: Deleting',
    });
  });

  it.each([
    {
      what: 'that all conditions of a node are unknown, in one line',
      conditions: { Ready: 'Unknown', MemoryPressure: 'Unknown', DiskPressure: 'Unknown', PIDPressure: 'Unknown' },
      status: 'Unknown',
      message: '* Node.AllConditions: silent',
    },
    {
      what: 'a pressure beside a Ready node',
      conditions: { Ready: 'True', MemoryPressure: 'True', DiskPressure: 'False', PIDPressure: 'False' },
      status: 'False',
      message: '* Node.MemoryPressure: silent',
    },
    {
      what: 'a pressure that is unknown',
      conditions: { Ready: 'True', MemoryPressure: 'False', DiskPressure: 'Unknown', PIDPressure: 'False' },
      status: 'Unknown',
      message: '* Node.DiskPressure: silent',
    },
    {
      what: 'a pressure that the kubelet has not reported',
      conditions: { Ready: 'True', MemoryPressure: 'True', DiskPressure: 'False' },
      status: 'False',
      message: '* Node.MemoryPressure: silent\n* Node.PIDPressure: Condition not yet reported',
    },
    {
      what: 'that only some conditions are reported',
      conditions: { Ready: 'True' },
      status: 'Unknown',
      message: ['Memory', 'Disk', 'PID'].map((of) => `* Node.${of}Pressure: Condition not yet reported`).join('\n'),
    },
  ])('reports $what', ({ conditions, status, message }) => {
    const all = Object.entries(conditions).map(([type, is]) => ({ type, status: is, message: 'silent' }));
    const node: MachineObservation['node'] = {
      seen: 'node',
      node: { metadata: { name: 'n' }, status: { conditions: all } },
    };
    expect(conditionOf(withObservation(machine(), { node }, now), 'NodeHealthy')).toMatchObject({ status, message });
  });

  it('treats a lost connection as unknown, never as a lost node', () => {
    const before = withObservation(machine(), { config, infrastructure: running, node: readyNode }, now);
    const next = withObservation(before, { node: { seen: 'unreachable', why: 'timeout' } }, now);
    expect(conditionOf(next, 'NodeHealthy')).toMatchObject({ status: 'Unknown', reason: 'ConnectionDown' });
    expect(next.status?.nodeRef?.name).toBe('n');
  });

  it('changes nothing when it observes the same again', () => {
    const seen = { config, infrastructure: running, node: readyNode };
    const first = withObservation(machine(), seen, now);
    expect(withObservation(first, seen, new Date(now.getTime() + 60_000))).toEqual(first);
  });
});
