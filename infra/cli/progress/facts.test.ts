import { describe, expect, it } from 'vitest';
import { factsOf } from './facts.ts';
import { begun, blocked, complete } from './fixtures.ts';

const factOf = (snapshot: typeof begun, key: string) => factsOf(snapshot).find((fact) => fact.key === key);

describe('the facts of a cluster', () => {
  it('consist of one fact for each step and machine, in the order of the tree', () => {
    expect(factsOf(complete).map(({ key }) => key)).toEqual([
      'cluster',
      'network',
      'nat',
      'loadBalancer',
      'certificates',
      'apiServer',
      'machine/demo-cp-a',
      'machine/demo-md-x',
    ]);
  });

  it('report a step as done when all of its conditions are True', () => {
    expect(factOf(begun, 'network')).toMatchObject({ done: true, state: 'ready', detail: 'vpc-1' });
    expect(factOf(begun, 'nat')).toMatchObject({ done: false, state: 'waiting' });
    expect(factOf(complete, 'nat')).toMatchObject({ done: true, detail: '1 zone' });
  });

  it('report why something is not done, with the first line of its condition', () => {
    expect(factOf(begun, 'cluster')?.why).toBe('not yet initialized');
    expect(factOf(begun, 'machine/demo-cp-a')?.why).toBe('InstanceNotReady: pending');
    expect(factOf(complete, 'machine/demo-cp-a')?.why).toBe('');
  });

  it('report the error of a step rather than a condition that only waits', () => {
    const claim = (type: string, severity: string, message: string) =>
      ({ type, status: 'False', severity, message, lastTransitionTime: '2026-01-01T00:00:00Z' }) as const;
    const infrastructure = {
      ...begun.infrastructure,
      status: { conditions: [claim('VpcReady', 'Info', 'waits'), claim('SubnetsReady', 'Error', 'refused')] },
    } as typeof begun.infrastructure;
    expect(factOf({ ...begun, infrastructure }, 'network')).toMatchObject({ failed: true, why: 'refused' });
  });

  it('report the first entry of a nested list together with the name of the list', () => {
    const message = '* HealthCheckSucceeded:\n  * the node is gone';
    const conditions = [{ type: 'InfrastructureReady', status: 'False', message }];
    const cluster = { ...begun.cluster, status: { conditions } } as typeof begun.cluster;
    expect(factOf({ ...begun, cluster }, 'cluster')?.why).toBe('HealthCheckSucceeded: the node is gone');
  });

  it('distinguish errors that only a user can correct from steps that are not done yet', () => {
    expect(factOf(begun, 'nat')?.failed).toBe(false);
    expect(factOf(blocked, 'nat')).toMatchObject({
      failed: true,
      why: expect.stringContaining('AddressLimitExceeded'),
    });
  });

  it('report the phase of a machine and its instance', () => {
    expect(factOf(complete, 'machine/demo-md-x')).toMatchObject({
      owner: 'deployment/demo-md',
      state: 'Running',
      done: true,
      detail: 'i-demo-md-x us-east-1a',
    });
  });

  it('report that a nonexistent cluster is gone', () => {
    const gone = { namespace: 'default', name: 'demo', deployments: [], pools: [], machines: [] };

    expect(factsOf(gone)).toMatchObject([{ key: 'cluster', state: 'gone', done: false }]);
  });
});
