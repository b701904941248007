import { describe, expect, it } from 'vitest';
import { fixedUsage } from './fixed.ts';
import { type Counted, happenings, monthOf, ownMonths } from './model.ts';

const counted: Counted = {
  ...{ bootSeconds: 150, controlPlane: 3, workers: 10 },
  fixed: { alarmMetricMonths: 33 },
  metrics: { idle: 2, alive: 9 },
  sweep: {
    empty: { invocations: 1, readUnits: 10 },
    far: { invocations: 1, readUnits: 14 },
    near: { invocations: 1, readUnits: 15, freeCalls: 2 },
    further: { readUnits: 3 },
  },
  create: { transitions: 400, metricMonths: 0.01 },
  remove: { transitions: 100 },
  replaceControlPlane: { transitions: 30 },
  replaceWorker: { transitions: 20 },
  healthCheck: { readUnits: 2 },
  watchHour: { gigabyteSeconds: 3_600 },
  tableGigabytes: 0.0001,
};
/** Sweeps in a month. */
const SWEEPS = 8_760;

describe('the usage in a month', () => {
  it('without clusters consists of sweeps and fixed costs', () => {
    expect(monthOf(counted, { clusters: 0 })).toMatchObject({
      ...{ alarmMetricMonths: 33, metricMonths: 2 },
      ...{ invocations: SWEEPS, readUnits: 10 * SWEEPS, keyRequests: SWEEPS },
    });
  });

  it('includes additional reads in sweeps for each cluster, and detailed checks of twenty clusters', () => {
    const { readUnits, tableGigabyteMonths } = monthOf(counted, { clusters: 100 });
    expect(readUnits).toBe((14 + 99 * 3 + 20 * 1) * SWEEPS);
    expect(tableGigabyteMonths).toBeCloseTo(0.01, 9);
  });

  it('with changes includes replacements of 5% of the machines, and a third of an upgrade', () => {
    const { transitions = 0, metricMonths } = monthOf(counted, { clusters: 10, isAlive: true });
    expect(transitions).toBeCloseTo(10 * (3 * 30 + 10 * 20) * (0.05 + 1 / 3), 6);
    expect(metricMonths).toBe(9);
  });

  it('includes the reads for health checks in every sweep, and every hour of watches', () => {
    const idle = monthOf(counted, { clusters: 10 });
    const more = monthOf(counted, { clusters: 10, healthChecks: true, watches: 2 });
    expect((more.readUnits ?? 0) - (idle.readUnits ?? 0)).toBe(10 * 2 * SWEEPS);
    expect(more.gigabyteSeconds).toBe(2 * 730 * 3_600);
  });
});

it('includes the share of one cluster in the sweeps of many', () => {
  const { cluster, machines } = ownMonths(counted);
  expect(machines).toBe(13);
  expect(cluster.readUnits).toBeCloseTo(((4 + 999 * 3 + 20) / 1_000) * SWEEPS, 6);
});

it('excludes hourly costs from the costs of events', () => {
  expect(happenings(counted).create).toEqual({ transitions: 400 });
});

it('counts each metric of an alarm, but no expressions', () => {
  const one = { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } };
  const sum = {
    Type: one.Type,
    Properties: { Metrics: [{ Expression: 'a+b' }, { MetricStat: {} }, { MetricStat: {} }] },
  };
  expect(fixedUsage({ one, sum, key: { Type: 'AWS::KMS::Key' }, rule: { Type: 'AWS::Events::Rule' } })).toEqual({
    alarmMetricMonths: 3,
    keyMonths: 1,
  });
});
