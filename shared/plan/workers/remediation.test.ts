import { describe, expect, it } from 'vitest';
import type { Machine, MachineDeployment, MachineSet } from '../../kinds/index.ts';
import { remediatingClaim } from '../status/remediating.ts';
import { isStillWanted, planSetRemediation, type SetRemediationFacts } from './remediation.ts';

const condition = (type: string, status: string, reason: string, message = '') => ({
  ...{ type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' },
});

const machine = (name: string, over: { born?: number; deleting?: true; healthy?: true; marked?: true } = {}) =>
  ({
    metadata: {
      name,
      creationTimestamp: `2026-01-01T00:00:${String(over.born ?? 0).padStart(2, '0')}Z`,
      ...(over.deleting ? { deletionTimestamp: '2026-01-01T01:00:00Z' } : {}),
      ...(over.marked ? { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } } : {}),
    },
    status: {
      conditions: over.healthy
        ? [condition('HealthCheckSucceeded', 'True', 'HealthCheckSucceeded')]
        : [
            condition('HealthCheckSucceeded', 'False', 'UnhealthyNode'),
            condition(
              'OwnerRemediated',
              'False',
              over.deleting ? 'MachineDeleting' : 'WaitingForRemediation',
              'Waiting',
            ),
          ],
    },
  }) as unknown as Machine;

const deployment = (maxInFlight?: number | string) =>
  ({ spec: { replicas: 4, remediation: { maxInFlight } } }) as unknown as MachineDeployment;
const owned = (maxInFlight?: number | string, isCurrent = true) => ({
  owner: { deployment: deployment(maxInFlight), isCurrent },
});

/** The plan as lines with the machine, the reason, and a star if the machine is deleted. */
const story = (facts: Partial<SetRemediationFacts> & { machines: Machine[] }): string[] => {
  const { say, remove } = planSetRemediation({ preflight: [], ...facts });
  return say.map(({ machine: on, claim }) => `${on.metadata.name} ${claim.reason}${remove.includes(on) ? ' *' : ''}`);
};

describe('planSetRemediation', () => {
  const three = [machine('a'), machine('b', { born: 9 }), machine('c', { healthy: true })];
  it.each([
    {
      reason: 'all unhealthy machines, the newest first',
      of: { machines: three },
      is: ['b MachineDeleting *', 'a MachineDeleting *'],
    },
    {
      reason: 'as many machines as may be in flight',
      of: { machines: three, ...owned(1) },
      is: ['a RemediationDeferred', 'b MachineDeleting *'],
    },
    {
      reason: 'machines that the user has marked before the newest',
      of: { machines: [machine('a', { marked: true }), machine('b', { born: 9 })], ...owned('25%') },
      is: ['b RemediationDeferred', 'a MachineDeleting *'],
    },
    {
      reason: 'nothing while that many are already in flight',
      of: { machines: [...three, machine('d', { deleting: true })], ...owned(1) },
      is: ['b RemediationDeferred', 'a RemediationDeferred'],
    },
    {
      reason: 'nothing from a set that a rollout removes',
      of: { machines: three, ...owned(undefined, false) },
      is: ['b CannotBeRemediated', 'a CannotBeRemediated'],
    },
    {
      reason: 'nothing while a preflight check fails',
      of: { machines: three, preflight: ['the control plane is upgrading'], ...owned(1) },
      is: ['a RemediationDeferred', 'b RemediationDeferred'],
    },
  ])('deletes $reason', ({ of, is }) => {
    expect(story(of)).toEqual(is);
  });

  it('reports why it waits', () => {
    const { say } = planSetRemediation({ machines: three, preflight: ['one', 'two'] });
    expect(say[0]?.claim.message).toBe('* one\n* two');
    const limited = planSetRemediation({ machines: three, preflight: [], ...owned('25%') });
    expect(limited.say[0]?.claim.message).toContain('(spec.strategy.remediation.maxInFlight is 25%)');
  });
});

describe('isStillWanted', () => {
  const now = new Date('2026-01-02T00:00:00Z');
  const template = (version: string) => ({ spec: { version } });
  const set = (name: string, version: string, revision?: number) =>
    ({
      metadata: {
        name,
        uid: name,
        annotations: revision ? { 'machinedeployment.clusters.x-k8s.io/revision': String(revision) } : {},
      },
      spec: { replicas: 1, template: template(version) },
    }) as unknown as MachineSet;
  const of = (version: string, over: object = {}) =>
    ({ metadata: {}, spec: { template: template(version), ...over } }) as unknown as MachineDeployment;
  const sets = [set('first', 'v1', 1), set('second', 'v2', 2)];
  const wanted = (deployment: MachineDeployment, owned = sets) =>
    owned.filter((one) => isStillWanted(deployment, owned, one, now)).map(({ metadata }) => metadata.name);

  it.each([
    { reason: 'of the current template', is: ['first'], deployment: of('v1') },
    { reason: 'of the latest revision before the next set exists', is: ['second'], deployment: of('v3') },
    { reason: 'of no set while a changed deployment is paused', is: [], deployment: of('v3', { paused: true }) },
    { reason: 'of the current template while paused', is: ['first'], deployment: of('v1', { paused: true }) },
  ])('wants the machines $reason', ({ deployment: owner, is }) => {
    expect(wanted(owner)).toEqual(is);
  });

  it('wants the machines of a single set without a revision', () => {
    expect(wanted(of('v3'), [set('only', 'v1')])).toEqual(['only']);
  });

  it('does not count a set that is being deleted', () => {
    const gone = set('gone', 'v2', 9);
    gone.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(wanted(of('v3'), [...sets, gone])).toEqual(['second']);
  });
});

describe('Remediating', () => {
  it('reports what each machine waits for', () => {
    expect(remediatingClaim([machine('a'), machine('b'), machine('c', { healthy: true })], 'MachineSet')).toEqual({
      type: 'Remediating',
      status: 'True',
      reason: 'Remediating',
      message: '* Machines a, b: Waiting',
    });
  });

  it('lists machines that another program must remediate', () => {
    const foreign = machine('a');
    foreign.status?.conditions?.pop();
    expect(remediatingClaim([foreign], 'MachineSet')).toMatchObject({
      status: 'False',
      message: 'Machine a is not healthy (not to be remediated by MachineSet)',
    });
  });
});
