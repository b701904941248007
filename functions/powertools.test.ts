import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Clock } from '../shared/clock.ts';
import { QuotaExceededError } from '../shared/errors.ts';
import { toStatusError } from '../shared/kube-api/server/respond.ts';
import { powertools } from './powertools.ts';
import { makeStepHandler, type StepTable } from './step.ts';

const CLOCK: Clock = { now: () => new Date('2026-01-01T00:00:00Z'), sleep: async () => {} };
const EVENT = { cluster: { namespace: 'default', name: 'red', uid: 'u-1' }, wanted: 3, holder: 'u-1-3' };
const CONTEXT = { functionName: 'Windlass-cluster-network', awsRequestId: 'r-1', memoryLimitInMB: '512' };

let lines: Record<string, unknown>[];

beforeEach(() => {
  lines = [];
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'Windlass-blue');
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'Windlass');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const handle = (foundation: StepTable<'cluster-network'>['foundation']) => {
  const unused = async () => ({ ready: true, done: true });
  const steps = { foundation, egress: unused, removeFoundation: unused } as StepTable<'cluster-network'>;
  return makeStepHandler('cluster-network', steps, { ...powertools(), clock: CLOCK })(
    { ...EVENT, step: 'foundation' },
    CONTEXT,
  );
};

it('logs a step with the keys of its object, of its invocation and of its trace', async () => {
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1');
  await handle(async () => ({ ready: true }));
  expect(lines.filter(({ message }) => message)).toEqual([
    expect.objectContaining({
      level: 'INFO',
      message: 'step finished',
      service: 'Windlass-blue',
      function_request_id: 'r-1',
      xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793',
      cluster: 'red',
      step: 'foundation',
    }),
  ]);
});

it('records a failed step as a metric in the namespace and for the stack of the alarms', async () => {
  const failing = handle(() => Promise.reject(new QuotaExceededError('too many')));
  await expect(failing).rejects.toThrow('too many');
  const measured = lines.filter((line) => line._aws);
  expect(measured).toEqual([
    expect.objectContaining({ service: 'Windlass-blue', error: 'QuotaExceeded', Failures: 1 }),
    expect.objectContaining({ service: 'Windlass-blue', StepDuration: 0 }),
  ]);
  expect(measured[0]?._aws).toMatchObject({
    CloudWatchMetrics: [
      { Namespace: 'Windlass', Dimensions: [['service', 'error']], Metrics: [{ Name: 'Failures', Unit: 'Count' }] },
    ],
  });
});

it('logs why a request failed', () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
  toStatusError(new Error('the table is on fire'), powertools().log);
  expect(lines).toMatchObject([{ message: 'Request failed', error: 'Error', reason: 'the table is on fire' }]);
});
