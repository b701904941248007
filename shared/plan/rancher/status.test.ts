import { describe, expect, it } from 'vitest';
import { describeProblems, notProvisioned, provisionedClaim, readyClaim, withClaims } from './status.ts';
import { aNode, configOf, rancherCluster } from './test-config.ts';

const NOW = new Date('2026-01-01T00:00:10Z');
const LATER = new Date('2026-01-01T00:01:00Z');
const PROVISIONED = { type: 'Provisioned', status: 'True', reason: 'Provisioned' } as const;

describe('the conditions of a Cluster of Rancher’s group', () => {
  it('record when their status changed, and when anything changed', () => {
    const first = withClaims(rancherCluster({ nodes: [aNode(1)] }), [notProvisioned('Provisioning', '0 of 1')], NOW);
    const second = withClaims(first, [notProvisioned('Provisioning', '1 of 1')], LATER);
    expect(second.status?.conditions).toEqual([
      {
        ...{ type: 'Provisioned', status: 'False', reason: 'Provisioning', message: '1 of 1', observedGeneration: 1 },
        ...{ lastTransitionTime: '2026-01-01T00:00:10Z', lastUpdateTime: '2026-01-01T00:01:00Z' },
      },
    ]);
    expect(withClaims(second, [notProvisioned('Provisioning', '1 of 1')], new Date('2026-02-01'))).toEqual(second);
  });

  it('record the configuration as applied once it is', () => {
    const before = rancherCluster({ nodes: [aNode(1)] });
    expect(withClaims(before, [notProvisioned('Provisioning', '')], NOW).status?.appliedConfig).toBeUndefined();
    const applied = withClaims(before, [PROVISIONED], NOW);
    expect(applied.status?.appliedConfig).toBe(before.spec.config);
    const changed = { ...applied, spec: { config: 'nodes: []' } };
    expect(withClaims(changed, [notProvisioned('InvalidConfig', '')], NOW).status?.appliedConfig).toBe(
      before.spec.config,
    );
  });

  it('name the first invalid fields, and the number of the others', () => {
    const problems = Array.from({ length: 7 }, (_, index) => ({
      field: `nodes[${index}].user`,
      message: 'is required',
    }));
    const lines = describeProblems(problems).split('\n');
    expect(lines[0]).toBe('spec.config: nodes[0].user: is required');
    expect(lines.slice(5)).toEqual(['and 2 more']);
  });

  it('report Ready while the API server responds', () => {
    const made = (status: string) =>
      ({
        status: {
          conditions: [
            { type: 'ControlPlaneAvailable', status: 'True' },
            { type: 'RemoteConnectionProbe', status, message: 'no answer' },
          ],
        },
      }) as never;
    expect(readyClaim(undefined)).toMatchObject({ status: 'False', message: 'The control plane does not exist yet' });
    expect(readyClaim(made('True'))).toEqual({ type: 'Ready', status: 'True', reason: 'Ready' });
    expect(readyClaim(made('False'))).toMatchObject({ status: 'False', reason: 'NotReady', message: 'no answer' });
  });

  it('report Provisioned when all machines match the last change and are running', () => {
    const config = configOf({ nodes: [aNode(1), aNode(2, ['worker'])] });
    const hosts = [1, 2].map((one) => ({
      metadata: { name: `10.0.0.${one}` },
      status: { claim: { machine: `m-${one}` } },
    }));
    const machines = [1, 2].map((one) => ({
      metadata: { name: `m-${one}`, labels: one === 1 ? { 'cluster.x-k8s.io/control-plane': '' } : {} },
      spec: { infrastructureRef: { name: `m-${one}` } },
      status: { phase: 'Running' },
    }));
    const owner = (upToDateReplicas: number, observedGeneration = 2) => ({
      metadata: { generation: 2 },
      spec: { replicas: 1 },
      status: { upToDateReplicas, observedGeneration },
    });
    const made = { status: { conditions: [{ type: 'Available', status: 'True' }] } };
    const claim = (over: object) =>
      provisionedClaim({
        config,
        hosts,
        machines,
        made,
        controlPlane: owner(1),
        deployment: owner(1),
        ...over,
      } as never);
    expect(claim({})).toEqual(PROVISIONED);
    const [server, worker] = machines;
    expect(
      [
        { machines: [server, { ...worker, status: { phase: 'Provisioned' } }] },
        { machines: [server, worker, worker] },
        { machines: [server, { ...worker, metadata: server?.metadata }] },
        { controlPlane: owner(0) },
        { deployment: owner(1, 1) },
        { made: undefined },
        { hosts: hosts.slice(0, 1) },
      ].map((over) => claim(over).message),
    ).toEqual([
      '1 of 2 nodes run',
      '2 of 2 nodes run, and 1 more than desired exist',
      '1 of 2 nodes run',
      '2 of 2 nodes run\nMachines with earlier settings are to be replaced',
      '2 of 2 nodes run\nMachines with earlier settings are to be replaced',
      '2 of 2 nodes run',
      '1 of 2 nodes run',
    ]);
    const conditions = [{ type: 'Reachable', status: 'False', reason: 'Unreachable', message: 'no answer' }];
    expect(claim({ hosts: [hosts[0], { ...hosts[1], status: { conditions } }] })).toMatchObject({
      reason: 'HostUnusable',
      message: 'spec.config: nodes[1].address: 10.0.0.2: Unreachable: no answer',
    });
  });
});
