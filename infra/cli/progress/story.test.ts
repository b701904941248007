import { describe, expect, it } from 'vitest';
import { begun, blocked, complete, controlPlaneMachine } from './fixtures.ts';
import { timedChanges } from './story.ts';
import { advance, momentOf, type Timeline } from './timeline.ts';

describe('the log on a pipe', () => {
  it('has one line for each change', () => {
    const provisioned = { ...begun, machines: [controlPlaneMachine('Provisioned')] };

    expect(timedChanges(begun, provisioned, 3.24)).toEqual(['  +3.2s  Machine demo-cp-a  Provisioning → Provisioned']);
    expect(timedChanges(provisioned, provisioned, 4)).toEqual([]);
  });

  it('begins with existing objects, without those that only wait', () => {
    expect(timedChanges(undefined, begun, 0.1)).toEqual([
      '  +0.1s  Cluster demo  Provisioned',
      '  +0.1s  AWSCluster demo-aws, network  ready  vpc-1',
      '  +0.1s  KubeadmControlPlane demo-cp, certificates  ready',
      '  +0.1s  Machine demo-cp-a  Provisioning',
    ]);
  });

  it('reports an error once, and its end', () => {
    const line =
      ' +10.0s  AWSCluster demo-aws, NAT gateways  waiting: AddressLimitExceeded: The maximum number of addresses has been reached.';

    expect(timedChanges(begun, blocked, 10)).toEqual([line]);
    expect(timedChanges(blocked, blocked, 11)).toEqual([]);
    expect(timedChanges(blocked, complete, 12)).toContain(' +12.0s  AWSCluster demo-aws, NAT gateways  ready  1 zone');
  });

  it('reports objects that are gone', () => {
    expect(timedChanges(begun, { ...begun, machines: [] }, 5)).toEqual([
      '  +5.0s  Machine demo-cp-a  Provisioning → gone',
    ]);
  });
});

describe('the timeline', () => {
  const momentAfter = (...looks: [number, typeof begun][]) => {
    const timeline = looks.reduce<Timeline>((all, [seconds, one]) => advance(all, one, seconds), new Map());
    return momentOf(timeline, begun, 'machine/demo-cp-a', 99);
  };

  it('records when something began and when it was first seen as done', () => {
    expect(momentAfter([1, begun], [2, begun], [3, complete], [4, complete])).toEqual({ since: 0, done: 3 });
  });

  it('dates the start of new objects to the last poll', () => {
    expect(momentAfter([1, { ...begun, machines: [] }], [2, begun], [3, complete])).toEqual({ since: 1, done: 3 });
  });

  it('starts again for something that is no longer done', () => {
    expect(momentAfter([1, complete], [2, begun])).toEqual({ since: 0 });
  });

  it('dates the start of something that it has never seen to the current time', () => {
    expect(momentAfter()).toEqual({ since: 99 });
  });
});
