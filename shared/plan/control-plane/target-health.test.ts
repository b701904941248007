import { describe, expect, it } from 'vitest';
import { ANNOTATION } from '../labels.ts';
import { whyNotAdd } from './target-health.ts';
import { ALL, ago, broken, controlPlane, health, machine, plan, view } from './test-remediation.ts';

describe('the machine that completes a remediation', () => {
  it.each([
    {
      reason: 'is not created if two of four are healthy, which is not a majority',
      of: [machine('a'), machine('b'), broken('c'), broken('d')],
      is: /quorum/,
    },
    {
      reason: 'is created if three of four are healthy',
      of: [machine('a'), machine('b'), machine('c'), broken('d')],
      is: undefined,
    },
    { reason: 'is created if the only remaining machine is healthy', of: [machine('a')], is: undefined },
    {
      reason: 'is not created if no API server is healthy',
      of: [machine('a', { bad: health.components })],
      is: /no control plane Machines with all/,
    },
  ])('$reason', ({ of, is }) => {
    const why = whyNotAdd(of, health);
    if (is) expect(why).toMatch(is);
    else expect(why).toBeUndefined();
  });
});

describe('a machine whose member of etcd is dead, while another one is joining or leaving', () => {
  const dead = broken('a');
  const leaving = machine('b', { deleting: true });
  const joining = machine('b', { node: false, bad: ALL });
  const members = (...names: string[]) => ({ etcd: view(names, ['a']) });

  it.each([
    { other: 'leaves', machines: [dead, leaving, machine('c')], over: members('a', 'b', 'c') },
    { other: 'joins', machines: [dead, joining, machine('c'), machine('d')], over: members('a', 'c', 'd') },
  ])(
    'is deleted immediately while the other $other, because no machine was remediated before',
    ({ machines, over }) => {
      expect(plan(machines, { etcd: 'unasked' })).toBe('ask-etcd');
      expect(plan(machines, over)).toBe('remove a (0): MachineDeleting: Machine is deleting');
    },
  );

  const silent = broken('e');
  it.each([
    {
      reason: 'two of five members do not respond',
      machines: [dead, leaving, machine('c'), machine('d'), silent],
      over: { etcd: view(['a', 'b', 'c', 'd', 'e'], ['a', 'e']) },
    },
    {
      reason: 'the other was marked by a user, and comes first',
      machines: [
        dead,
        broken('b', { deleting: true, bad: [], annotations: { [ANNOTATION.remediateMachine]: '' } }),
        machine('c'),
      ],
      over: members('a', 'b', 'c'),
    },
    {
      reason: 'a machine that could not join comes first',
      machines: [dead, leaving, machine('c'), broken('d', { node: false })],
      over: members('a', 'b', 'c'),
    },
    {
      reason: 'a user has marked a machine that etcd needs in its place',
      machines: [
        dead,
        machine('b', { marked: true, annotations: { [ANNOTATION.remediateMachine]: '' } }),
        machine('c'),
      ],
      over: members('a', 'b', 'c'),
    },
    {
      reason: 'another remediation is in progress',
      machines: [dead, leaving, machine('c')],
      over: {
        ...members('a', 'b', 'c'),
        controlPlane: controlPlane({ inProgress: { machine: 'z', timestamp: ago(60), retryCount: 0 }, replicas: 5 }),
      },
    },
  ])('is deleted although $reason', ({ machines, over }) => {
    expect(plan(machines, over)).toBe('remove a (0): MachineDeleting: Machine is deleting');
  });

  it.each([
    {
      reason: 'the other can leave anyway',
      machines: [dead, leaving, machine('c'), machine('d')],
      etcd: view(['a', 'b', 'c', 'd', 'e'], ['a']),
    },
    { reason: 'the other has left etcd', machines: [dead, leaving, machine('c')], etcd: view(['a', 'c', 'd'], ['a']) },
    {
      reason: 'one of two others can leave anyway',
      machines: [dead, leaving, broken('c', { deleting: true }), machine('d'), machine('e')],
      etcd: view(['a', 'b', 'c', 'd', 'e'], ['a', 'c']),
    },
  ])('waits if $reason', ({ machines, etcd }) => {
    expect(plan(machines, { etcd })).toMatch(/^wait a: RemediationDeferred/);
  });

  it.each([
    { reason: 'another member is unresponsive, too', etcd: view(['a', 'b', 'c'], ['a', 'c']) },
    { reason: 'another is not a voting member yet', etcd: view(['a', 'b', 'c'], ['a'], 'c') },
    { reason: 'it responds after all', etcd: view(['a', 'b', 'c']) },
    { reason: 'etcd cannot be queried', etcd: undefined },
  ])('is not remediated yet if $reason', ({ etcd }) => {
    expect(plan([dead, leaving, machine('c')], { etcd })).toMatch(/^wait a: RemediationDeferred/);
  });
});

describe('a machine whose kubelet does not respond, while its member of etcd does', () => {
  const unknown = (name: string) => {
    const { status, ...rest } = broken(name, { bad: ALL });
    const conditions = status?.conditions?.map((one) => (ALL.includes(one.type) ? { ...one, status: 'Unknown' } : one));
    return { ...rest, status: { ...status, conditions } } as ReturnType<typeof broken>;
  };

  it('counts for the quorum when another one is remediated', () => {
    const dead = broken('a', { annotations: { [ANNOTATION.remediateMachine]: '' } });
    const etcd = view(['a', 'b', 'c'], ['a']);
    expect(plan([dead, unknown('b'), machine('c')], { etcd })).toMatch(/^remove a/);
    expect(plan([dead, broken('b'), machine('c')], { etcd })).toMatch(/^wait a: CannotBeRemediated/);
  });

  it('is remediated if the only working machines are being deleted', () => {
    const leaving = machine('b', { deleting: true });
    expect(plan([unknown('a'), leaving, unknown('c')])).toMatch(/^remove a/);
    expect(plan([unknown('a'), leaving, machine('c')])).toMatch(/^wait a: RemediationDeferred/);
    const joining = machine('c', { node: false, bad: ALL });
    expect(plan([unknown('a'), leaving, joining], { etcd: view(['a', 'b']) })).toMatch(/^wait a: RemediationDeferred/);
  });
});
