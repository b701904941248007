import { describe, expect, it } from 'vitest';
import type { Cluster, Machine } from '../../kinds/index.ts';
import { formedAvailableClaim, healthClaims, whyNotInspected } from './control-plane-health.ts';

const COMPONENTS = ['APIServerPodHealthy', 'SchedulerPodHealthy'];
const HEALTH = { components: COMPONENTS, etcd: ['EtcdPodHealthy', 'EtcdMemberHealthy'] };
const NOW = new Date('2026-01-01T00:01:00Z');
const LONG_AGO = '2026-01-01T00:00:00Z';
const JUST_NOW = '2026-01-01T00:00:55Z';

type Open = Readonly<Record<string, { status?: 'False' | 'Unknown'; message?: string; since?: string }>>;

/** A machine whose conditions are all True, except those in `open`. */
const machine = (name: string, open: Open = {}, providerID: string | undefined = 'aws:///a/i-1'): Machine =>
  ({
    metadata: { name },
    spec: { providerID },
    status: {
      nodeRef: { name: `node-${name}` },
      conditions: [...HEALTH.components, ...HEALTH.etcd].map((type) => {
        const { status = 'False', message = '', since = LONG_AGO } = open[type] ?? {};
        return { type, status: open[type] ? status : 'True', reason: 'R', message, lastTransitionTime: since };
      }),
    },
  }) as unknown as Machine;

const GONE = { status: 'Unknown', message: 'Node n does not exist' } as const;
/** A machine after its node was deleted. */
const withoutNode = (name: string) =>
  machine(name, { APIServerPodHealthy: GONE, SchedulerPodHealthy: GONE, EtcdPodHealthy: GONE });

describe('ControlPlaneComponentsHealthy and EtcdClusterHealthy', () => {
  const claims = (...machines: Machine[]) => healthClaims(machines, HEALTH, undefined);

  it('are True without a message while all machines are healthy', () => {
    expect(claims(machine('a'), machine('b'))).toEqual([
      { type: 'ControlPlaneComponentsHealthy', status: 'True', reason: 'Healthy' },
      { type: 'EtcdClusterHealthy', status: 'True', reason: 'Healthy' },
    ]);
  });

  it('combine the components of a machine that report the same, including the pod of etcd', () => {
    expect(claims(machine('a'), withoutNode('b'))).toEqual([
      {
        type: 'ControlPlaneComponentsHealthy',
        status: 'Unknown',
        reason: 'HealthUnknown',
        message: '* Machine b:\n  * Control plane components: Node n does not exist',
      },
      { type: 'EtcdClusterHealthy', status: 'True', reason: 'Healthy' },
    ]);
  });

  it('combine machines that report the same, and begin with the most frequent report', () => {
    const failed = { message: 'CrashLoopBackOff' };
    const names = ['e', 'b', 'd', 'c'];
    const [found] = claims(
      machine('a', { SchedulerPodHealthy: {} }),
      ...names.map((name) => machine(name, { APIServerPodHealthy: failed })),
    );
    expect(found).toMatchObject({ status: 'False', reason: 'NotHealthy' });
    expect(found?.message?.split('\n')).toEqual([
      '* Machines b, c, d, ... (1 more):',
      '  * APIServerPodHealthy: CrashLoopBackOff',
      '* Machine a:',
      '  * SchedulerPodHealthy: condition is False',
    ]);
  });

  it('ignore unknown conditions of a machine without an instance', () => {
    const starting = { ...withoutNode('b'), spec: {} } as Machine;
    expect(claims(machine('a'), starting)[0]).toEqual({
      type: 'ControlPlaneComponentsHealthy',
      status: 'True',
      reason: 'Healthy',
    });
  });

  it('are Unknown while no machine reports anything, and nothing is reported about an external etcd', () => {
    const silent = { metadata: { name: 'a' }, spec: {} } as Machine;
    expect(claims(silent)).toMatchObject([
      { status: 'Unknown', message: 'No Machines reporting control plane status' },
      { status: 'Unknown', message: 'No Machines reporting etcd member status' },
    ]);
    expect(healthClaims([machine('a')], { components: COMPONENTS, etcd: [] }, undefined)).toHaveLength(1);
  });
});

it.each([
  { lacks: 'status.infrastructureReady to be true', cluster: { spec: {} }, initialized: false },
  {
    lacks: 'spec.controlPlaneEndpoint to be set',
    cluster: { spec: {}, status: { initialization: { infrastructureProvisioned: true } } },
    initialized: false,
  },
  { lacks: 'control plane to be initialized', cluster: undefined, initialized: false },
])('the inspection waits for $lacks', ({ lacks, cluster, initialized }) => {
  const why = whyNotInspected(cluster as Cluster | undefined, initialized);
  expect(why).toBe(`Waiting for Cluster ${lacks}`);
  const claims = healthClaims([machine('a')], HEALTH, why);
  expect(claims.map(({ status, message }) => [status, message])).toEqual(Array(2).fill(['Unknown', why]));
});

it('nodes and members without a machine are reported after the machines', () => {
  const strays = { members: ['Etcd member b is stray'], nodes: ['Node b is stray'] };
  const gone = machine('a', { APIServerPodHealthy: { status: 'False', message: 'gone' } });
  expect(healthClaims([gone], HEALTH, undefined, strays)).toMatchObject([
    { status: 'False', message: '* Machine a:\n  * APIServerPodHealthy: gone\n* Node b is stray' },
    { status: 'False', message: '* Etcd member b is stray' },
  ]);
});

describe('Available', () => {
  it('is False while etcd has a member without a machine, unless a machine joins', () => {
    const options = { isDeleting: false, hasCertificates: true, strays: { members: ['x'], nodes: [] }, now: NOW };
    expect(formedAvailableClaim([machine('a')], HEALTH, options)).toMatchObject({
      status: 'False',
      message: 'The list of etcd members does not match the list of Machines and Nodes',
    });
    const joining = { ...machine('b'), status: {} } as Machine;
    expect(formedAvailableClaim([machine('a'), joining], HEALTH, options).status).toBe('True');
  });

  const claim = (machines: Machine[], change: { isDeleting?: boolean; hasCertificates?: boolean } = {}) =>
    formedAvailableClaim(machines, HEALTH, { isDeleting: false, hasCertificates: true, ...change, now: NOW });
  const bad = (since = LONG_AGO) => machine('b', { EtcdMemberHealthy: { since } });

  it('is True without a message if nothing is unhealthy', () => {
    expect(claim([machine('a')])).toEqual({ type: 'Available', status: 'True', reason: 'Available' });
  });

  it('names what an available control plane lacks, after ten seconds', () => {
    expect(claim([machine('a'), bad(), machine('c')])).toMatchObject({
      status: 'True',
      message: [
        '* 2 of 3 etcd members are healthy, at least 2 healthy member required for etcd quorum',
        '* 2 of 3 Machines have healthy control plane components, at least 1 required',
      ].join('\n'),
    });
    expect(claim([machine('a'), bad(JUST_NOW), machine('c')])).not.toHaveProperty('message');
  });

  it('is immediately False without a quorum of etcd', () => {
    expect(claim([machine('a'), bad(JUST_NOW)])).toMatchObject({
      status: 'False',
      reason: 'NotAvailable',
      message: '* 1 of 2 etcd members is healthy, at least 2 healthy member required for etcd quorum',
    });
  });

  it('is False if no machine is completely healthy, although etcd has its quorum', () => {
    expect(claim([withoutNode('a')])).toMatchObject({
      status: 'False',
      message: '* There are no Machines with healthy control plane components, at least 1 required',
    });
  });

  it('is False while the control plane is being deleted, or lacks certificates', () => {
    expect(claim([machine('a')], { isDeleting: true, hasCertificates: false }).message).toBe(
      '* Control plane metadata.deletionTimestamp is set\n* Control plane certificates are not available',
    );
  });
});
