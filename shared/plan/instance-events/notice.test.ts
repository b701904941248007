import { describe, expect, it } from 'vitest';
import type { Machine, MachineSet } from '../../kinds/index.ts';
import { isNoticeOver, NOTICE_ANNOTATION, type Notice, readNotice, withNotice, withoutNotice } from './notice.ts';
import { atRiskClaim, responseOf } from './response.ts';

const at = '2026-11-20T12:00:00Z';
const LONG_AGO = '2026-11-20T10:00:00Z';
const spot: Notice = { reason: 'SpotInterruption', at, deadline: '2026-11-20T12:02:00Z', what: 'terminate' };
const rebalance: Notice = { reason: 'RebalanceRecommendation', at };
const maintenance: Notice = {
  reason: 'ScheduledMaintenance',
  at,
  deadline: '2026-12-01T12:00:00Z',
  what: 'R',
  id: 'e-1',
};

const machine = (annotations: Record<string, string> = {}, creationTimestamp = LONG_AGO): Machine =>
  ({ metadata: { name: 'm', creationTimestamp, annotations } }) as Machine;
const set = (annotations: Record<string, string> = {}): MachineSet =>
  ({ kind: 'MachineSet', metadata: { name: 'ms', annotations } }) as MachineSet;

const recorded = (...notices: Notice[]): Notice | undefined =>
  readNotice(notices.reduce((before, notice) => withNotice(before, notice) ?? before, machine()));

describe('the notice that applies', () => {
  const moved = { ...maintenance, at: '2026-11-21T12:00:00Z', deadline: '2026-12-05T12:00:00Z' };
  const sooner = { ...maintenance, id: 'e-2', deadline: '2026-11-25T12:00:00Z' };

  it.each<{ given: Notice[]; counts: Notice; because: string }>([
    { given: [rebalance, spot], counts: spot, because: 'an interruption is more urgent' },
    { given: [spot, rebalance], counts: spot, because: 'a recommendation that comes late is less informative' },
    { given: [rebalance, maintenance], counts: maintenance, because: 'a date is more certain than a risk' },
    { given: [maintenance, moved], counts: moved, because: 'the date was changed' },
    { given: [moved, maintenance], counts: moved, because: 'the first announcement came last' },
    { given: [maintenance, sooner], counts: sooner, because: 'the earlier of two events applies' },
    { given: [sooner, maintenance], counts: sooner, because: 'the order of arrival does not matter' },
  ])('is $counts.reason $counts.deadline, because $because', ({ given, counts }) => {
    expect(recorded(...given)).toEqual(counts);
    expect(recorded(...given, ...given)).toEqual(counts);
  });

  it('is not written twice, and is withdrawn only by its own id', () => {
    const noticed = withNotice(machine(), maintenance) as Machine;
    expect(withNotice(noticed, maintenance)).toBeUndefined();
    const other = withoutNotice(noticed, { id: 'e-2', at });
    expect([other?.isLifted, other && readNotice(other.machine)]).toEqual([false, maintenance]);
    const lifted = withoutNotice(noticed, { id: 'e-1', at });
    expect([lifted?.isLifted, lifted && readNotice(lifted.machine)]).toEqual([true, undefined]);
  });

  it('is not withdrawn by an older withdrawal', () => {
    const noticed = withNotice(machine(), maintenance) as Machine;
    const late = withoutNotice(noticed, { id: 'e-1', at: LONG_AGO });
    expect([late?.isLifted, late && readNotice(late.machine)]).toEqual([false, maintenance]);
  });

  it('does not apply if it is among the withdrawals that are remembered', () => {
    const hours = [10, 13, 12, 15, 14, 16].map((hour) => `2026-11-20T${hour}:00:00Z`);
    const withdrawn = hours.reduce(
      (before, time, index) => withoutNotice(before, { id: `e-${index}`, at: time })?.machine ?? before,
      machine(),
    );
    const applies = hours.map((_, index) => withNotice(withdrawn, { ...maintenance, id: `e-${index}` }) !== undefined);
    expect(applies).toEqual([true, false, false, false, false, false]);
    expect(withoutNotice(withdrawn, { id: 'e-5', at })).toBeUndefined();
  });

  it.each(['', 'soon', '{}', '{"reason":"SpotInterruption","at":"soon"}'])(
    'is not read from the annotation "%s"',
    (text) => {
      expect(readNotice(machine({ [NOTICE_ANNOTATION]: text }))).toBeUndefined();
    },
  );

  it('expires at its deadline, and never without one', () => {
    const noticed = (notice: Notice) => withNotice(machine(), notice) as Machine;
    expect(isNoticeOver(noticed(spot), new Date('2026-11-20T12:01:59Z'))).toBe(false);
    expect(isNoticeOver(noticed(spot), new Date('2026-11-20T12:02:00Z'))).toBe(true);
    expect(isNoticeOver(noticed(rebalance), new Date('2027-01-01T00:00:00Z'))).toBe(false);
    expect(isNoticeOver(machine(), new Date('2027-01-01T00:00:00Z'))).toBe(false);
  });
});

describe('the reaction', () => {
  const onRebalance = (value: string) => ({ 'windlass.dev/on-rebalance': value });
  const young = '2026-11-20T11:30:00Z';

  it.each<{ notice: Notice; on?: Machine; owner?: MachineSet; does: string; says: string }>([
    { notice: spot, owner: set(), does: 'replace-at-once', says: 'MachineSet ms replaces the Machine' },
    { notice: maintenance, owner: set(), does: 'replace-first', says: 'MachineSet ms replaces the Machine' },
    { notice: rebalance, owner: set(), does: 'replace-first', says: 'MachineSet ms replaces the Machine' },
    { notice: rebalance, on: machine({}, young), owner: set(), does: 'report', says: 'younger than an hour' },
    {
      notice: rebalance,
      on: machine({}, young),
      owner: set(onRebalance('Replace')),
      does: 'replace-first',
      says: 'ms',
    },
    { notice: rebalance, owner: set(onRebalance('Report')), does: 'report', says: 'windlass.dev/on-rebalance says so' },
    {
      notice: rebalance,
      on: machine(onRebalance('Replace')),
      owner: set(onRebalance('Report')),
      does: 'replace-first',
      says: 'ms',
    },
    {
      notice: maintenance,
      owner: set({ 'windlass.dev/on-maintenance': 'Report' }),
      does: 'report',
      says: 'windlass.dev/on-maintenance says so',
    },
    {
      notice: maintenance,
      owner: set({ 'cluster.x-k8s.io/disable-machine-create': 'true' }),
      does: 'report',
      says: 'MachineSet ms makes no machines',
    },
    { notice: spot, does: 'report', says: 'no owner that would replace it' },
  ])('to $notice.reason is $does: $says', ({ notice, on = machine(), owner, does, says }) => {
    const noticed = withNotice(on, notice) as Machine;
    expect(responseOf(noticed, owner)).toBe(does);
    const claim = atRiskClaim(noticed, owner);
    expect(claim).toMatchObject({ type: 'windlass.dev/InstanceAtRisk', status: 'True', reason: notice.reason });
    expect(claim?.message).toContain(says);
  });
});
