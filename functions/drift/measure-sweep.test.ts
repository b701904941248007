import { expect, it } from 'vitest';
import { concludeSweep } from './measure-sweep.ts';
import type { SweepResult } from './sweep.ts';

const QUIET: SweepResult = {
  ...{
    due: 0,
    stalled: 0,
    considered: 3,
    found: 0,
    isSuspicious: false,
    touched: 0,
    collected: 0,
    troubled: 0,
    passedOver: 0,
    hasFailedExport: false,
  },
  fleetMetrics: { phases: { Running: 3 }, certificateDays: 200 },
};

const conclude = (result: SweepResult, faults: readonly unknown[] = []) => {
  const added: unknown[][] = [];
  const add = (...one: unknown[]) => added.push(one.filter((part) => part !== undefined));
  return { added, concluding: () => concludeSweep({ add }, { result, faults }) };
};

const measured = (result: SweepResult) => {
  const { added, concluding } = conclude(result);
  expect(concluding()).toBe(result);
  return added;
};

it('omits metrics of events that did not happen, because each hour with a value is billed', () => {
  expect(measured(QUIET)).toEqual([
    ['CertificateDays', 200],
    ['Machines', 3, { phase: 'Running' }],
  ]);
});

it('counts events that happened', () => {
  const busy = { ...QUIET, due: 2, stalled: 1, found: 1, isSuspicious: true, troubled: 4, hasFailedExport: true };
  expect(measured(busy).slice(0, 6)).toEqual([
    ['ClustersDue', 2],
    ['ClustersStalled', 1],
    ['DriftFindings', 1],
    ['SweepSuspended', 1],
    ['ClustersPassedOver', 4],
    ['ExportsFailed', 1],
  ]);
});

it('raises the alarm even if only a namespace was skipped', () => {
  expect(measured({ ...QUIET, passedOver: 1 })[0]).toEqual(['SweepSuspended', 1]);
});

it('records its metrics before it throws a fault, because alarms treat missing values as good', () => {
  const { added, concluding } = conclude({ ...QUIET, stalled: 1 }, [new Error('no answer'), new Error('nor there')]);
  expect(concluding).toThrow('no answer');
  expect(added).toEqual([
    ['ClustersStalled', 1],
    ['CertificateDays', 200],
    ['Machines', 3, { phase: 'Running' }],
  ]);
});
