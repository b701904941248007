import { describe, expect, it } from 'vitest';
import type { Cluster, Machine } from '../../kinds/index.ts';
import { findCondition } from '../status/conditions.ts';
import { awaitedObservation, searchedObservation } from './awaited.ts';
import type { NodeObservation } from './node.ts';
import { type MachineObservation, withObservation } from './status.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const HEALTH = ['APIServerPodHealthy', 'EtcdMemberHealthy'];

const clusterIn = (state: 'new' | 'provisioned' | 'initialized'): Cluster =>
  ({
    status: {
      initialization: {
        ...(state === 'new' ? {} : { infrastructureProvisioned: true }),
        ...(state === 'initialized' ? { controlPlaneInitialized: true } : {}),
      },
    },
  }) as Cluster;

const machine = (fields: object = {}, metadata: object = {}): Machine =>
  ({
    metadata: { name: 'm', ...metadata },
    spec: { bootstrap: {}, infrastructureRef: { kind: 'AWSMachine', name: 'm' }, ...fields },
  }) as unknown as Machine;

const seen = (before: Machine, observation: MachineObservation | undefined): Machine =>
  observation ? withObservation(before, observation, NOW) : before;
const textOf = ({ status }: Machine, type: string): string | undefined =>
  findCondition(status?.conditions, type)?.message;

const OF_CLUSTER = 'Waiting for Cluster control plane to be initialized';
const OF_NODE = 'Waiting for a Node with spec.providerID i-1 to exist';

describe('a machine without a node', () => {
  it.each([
    {
      cluster: 'new',
      spec: {},
      text: 'Waiting for Cluster status.initialization.infrastructureProvisioned to be true',
    },
    { cluster: 'provisioned', spec: {}, text: OF_CLUSTER },
    { cluster: 'initialized', spec: {}, text: 'Waiting for AWSMachine to report spec.providerID' },
    { cluster: 'initialized', spec: { providerID: 'i-1' }, text: OF_NODE },
  ] as const)('of a cluster that is $cluster reports: $text', ({ cluster, spec, text }) => {
    const next = seen(machine(spec), awaitedObservation(machine(spec), clusterIn(cluster), HEALTH));
    for (const type of ['NodeReady', 'NodeHealthy', ...HEALTH]) expect(textOf(next, type)).toBe(text);
  });

  it('reports that there is no node if it is being deleted', () => {
    const deleted = machine({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(textOf(seen(deleted, awaitedObservation(deleted, clusterIn('initialized'), [])), 'NodeReady')).toBe(
      'Node does not exist',
    );
  });

  it('keeps what the search for its node has reported', () => {
    const young = seen(machine({ providerID: 'i-1' }), awaitedObservation(machine(), clusterIn('provisioned'), HEALTH));
    const absent: NodeObservation = { seen: 'absent', providerId: 'i-1' };
    const searched = seen(young, searchedObservation(young, clusterIn('provisioned'), absent));
    for (const type of ['NodeReady', ...HEALTH]) expect(textOf(searched, type)).toBe(OF_NODE);
    expect(awaitedObservation(searched, clusterIn('provisioned'), HEALTH)).toBeUndefined();
  });

  it('reports an API server that does not respond only if the cluster is initialized', () => {
    const young = seen(machine(), awaitedObservation(machine(), clusterIn('provisioned'), HEALTH));
    const unreachable: NodeObservation = { seen: 'unreachable', why: 'timeout' };
    const before = seen(young, searchedObservation(young, clusterIn('provisioned'), unreachable));
    expect(textOf(before, 'NodeReady')).toBe(OF_CLUSTER);
    const after = seen(before, searchedObservation(before, clusterIn('initialized'), unreachable));
    for (const type of ['NodeReady', ...HEALTH])
      expect(textOf(after, type)).toBe('Remote connection not established: timeout');
  });
});
