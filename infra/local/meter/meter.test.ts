import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '../engines/states/history.ts';
import { makeHandClock } from '../test-aws.ts';
import { createMeter } from './meter.ts';

const HOUR = 3_600_000;
const event = (type: string): EngineEvent => ({
  type,
  timestamp: 0,
  state: { name: 'begin', type: 'Task', input: {} },
});
const call = (service: string, operation: string, functionName?: string) => ({ service, operation, functionName });
const metrics = (name: string, hour: number) =>
  JSON.stringify({
    _aws: {
      Timestamp: hour * HOUR,
      CloudWatchMetrics: [{ Namespace: 'Windlass', Dimensions: [['service', 'mode']], Metrics: [{ Name: name }] }],
    },
    service: 'Windlass',
    mode: 'normal',
    [name]: 1,
  });

describe('the meter', () => {
  it('counts entered states and repeated attempts as transitions', () => {
    const meter = createMeter(makeHandClock());
    for (const type of ['ExecutionStarted', 'StateEntered', 'StateRetried', 'StateExited', 'ExecutionSucceeded'])
      meter.happened(event(type), 'arn', 'OFF');
    expect(meter.usage()).toMatchObject({ transitions: 2, logGigabytes: 0 });
  });

  it('counts the log lines of a workflow by its log level', () => {
    const bytes = (type: string, level: 'ALL' | 'ERROR') => {
      const meter = createMeter(makeHandClock());
      meter.happened(event(type), 'arn', level);
      return (meter.usage().logGigabytes ?? 0) * 1024 ** 3;
    };
    expect(bytes('StateEntered', 'ERROR')).toBe(0);
    expect(bytes('StateFailed', 'ERROR')).toBeGreaterThan(100);
    expect(bytes('StateEntered', 'ALL')).toBeGreaterThan(2 * bytes('StateFailed', 'ERROR'));
  });

  it('counts an invocation with its memory, and the start of a process if none is idle', () => {
    const meter = createMeter(makeHandClock());
    meter.invoked('f', 1769, { begin: 0, end: 1, spans: [['dynamodb', 0, 1]], processor: 6 });
    const first = meter.usage().gigabyteSeconds ?? 0;
    meter.invoked('f', 1769, { begin: 10_000, end: 10_001, spans: [['dynamodb', 10_000, 10_001]], processor: 6 });
    expect(first).toBeCloseTo((0.512 * 1769) / 1024, 6);
    expect((meter.usage().gigabyteSeconds ?? 0) - first).toBeCloseTo((0.012 * 1769) / 1024, 6);
    expect(meter.usage().invocations).toBe(2);
  });

  it('counts a metric once for each hour in which it has a value', () => {
    const meter = createMeter(makeHandClock());
    for (const line of [metrics('Passes', 1), metrics('Passes', 1), metrics('Failures', 1), metrics('Passes', 2)])
      meter.logged(line);
    expect(meter.usage().metricMonths).toBeCloseTo(3 / 730, 9);
    expect(meter.metrics()).toBe(2);
  });

  it('counts the hours of secrets, and each hour that has begun as a whole one', () => {
    const clock = makeHandClock();
    const meter = createMeter(clock);
    meter.called(call('secretsmanager', 'CreateSecret', 'f'), undefined, { Name: 'one' });
    meter.called(call('secretsmanager', 'CreateSecret', 'f'), 'ResourceExistsException', { Name: 'two' });
    clock.advance(HOUR + 1);
    expect(meter.usage().secretMonths).toBeCloseTo(2 / 730, 9);
    meter.called(call('secretsmanager', 'DeleteSecret'), undefined, { SecretId: 'one' });
    clock.advance(5 * HOUR);
    expect(meter.usage()).toMatchObject({ secretMonths: expect.closeTo(2 / 730, 9), secretRequests: 3 });
  });

  it('counts only calls of the functions, by the units that are billed', () => {
    const clock = makeHandClock();
    const meter = createMeter(clock);
    meter.called(call('ec2', 'DescribeInstances', 'f'), undefined, {});
    meter.called(call('ec2', 'DescribeInstances'), undefined, {});
    meter.called(call('kms', 'Decrypt', 'f'), undefined, {});
    meter.called(call('states', 'StartExecution', 'f'), undefined, {});
    // The table's key is opened once in five minutes by each caller.
    for (const name of ['f', 'f', 'g']) meter.called(call('dynamodb', 'GetItem', name), undefined, {});
    clock.advance(5 * 60_000);
    meter.called(call('dynamodb', 'GetItem', 'f'), undefined, {});
    expect(meter.usage()).toMatchObject({ freeCalls: 1, keyRequests: 4 });
  });
});
