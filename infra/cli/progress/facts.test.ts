import { describe, expect, it } from 'vitest';
import { factsOf } from './facts.ts';
import { begun, blocked, complete } from './fixtures.ts';

const factOf = (snapshot: typeof begun, key: string) => factsOf(snapshot).find((fact) => fact.key === key);

describe('the facts of a cluster', () => {
  it('are one for each step and machine, in the order of the tree', () => {
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

  it('say that a step is done when all of its conditions are True', () => {
    expect(factOf(begun, 'network')).toMatchObject({ done: true, state: 'ready', detail: 'vpc-1' });
    expect(factOf(begun, 'nat')).toMatchObject({ done: false, state: 'waiting' });
    expect(factOf(complete, 'nat')).toMatchObject({ done: true, detail: '1 zone' });
  });

  it('say why something is not done, in the first line of its condition', () => {
    expect(factOf(begun, 'cluster')?.why).toBe('not yet initialized');
    expect(factOf(begun, 'machine/demo-cp-a')?.why).toBe('InstanceNotReady: pending');
    expect(factOf(complete, 'machine/demo-cp-a')?.why).toBe('');
  });

  it('say the error of a step before what merely waits', () => {
    const claim = (type: string, severity: string, message: string) =>
      ({ type, status: 'False', severity, message, lastTransitionTime: '2026-01-01T00:00:00Z' }) as const;
    const infrastructure = {
      ...begun.infrastructure,
      status: { conditions: [claim('VpcReady', 'Info', 'waits'), claim('SubnetsReady', 'Error', 'refused')] },
    } as typeof begun.infrastructure;
    expect(factOf({ ...begun, infrastructure }, 'network')).toMatchObject({ failed: true, why: 'refused' });
  });

  it('keep the first entry of a list beside its name', () => {
    const message = '* HealthCheckSucceeded:\n  * the node is gone';
    const conditions = [{ type: 'InfrastructureReady', status: 'False', message }];
    const cluster = { ...begun.cluster, status: { conditions } } as typeof begun.cluster;
    expect(factOf({ ...begun, cluster }, 'cluster')?.why).toBe('HealthCheckSucceeded: the node is gone');
  });

  it('distinguish what only a user can correct from what is merely missing yet', () => {
    expect(factOf(begun, 'nat')?.failed).toBe(false);
    expect(factOf(blocked, 'nat')).toMatchObject({
      failed: true,
      why: expect.stringContaining('AddressLimitExceeded'),
    });
  });

  it('follow the phase of a machine and name its instance', () => {
    expect(factOf(complete, 'machine/demo-md-x')).toMatchObject({
      owner: 'deployment/demo-md',
      state: 'Running',
      done: true,
      detail: 'i-demo-md-x us-east-1a',
    });
  });

  it('of a cluster that does not exist are that it is gone', () => {
    const gone = { namespace: 'default', name: 'demo', deployments: [], pools: [], machines: [] };

    expect(factsOf(gone)).toMatchObject([{ key: 'cluster', state: 'gone', done: false }]);
  });
});
