/**
 * The only wrapper of step handlers: it selects the step, logs one line with bound keys, and turns errors into the
 * classes that the workflows retry or catch by name.
 */
import middy from '@middy/core';
import { translateAwsError } from '../shared/aws/errors.ts';
import type { Clock } from '../shared/clock.ts';
import { describeError, withoutQuotes, withShortMessage } from '../shared/decode/describe-error.ts';
import type { Log, LogKeys } from '../shared/log.ts';
import { type Metrics, noMetrics } from '../shared/metrics.ts';
import type {
  AwaitResult,
  BeginPoolResult,
  BeginResult,
  ConvergeInput,
  DoneResult,
  Failure,
  FinishResult,
  MachineInput,
  PoolBootstrapResult,
  PoolInput,
  PreparedResult,
  ProceedResult,
  ProgressResult,
  ReadyResult,
  WatchResult,
} from '../shared/work/payloads.ts';
import { STEPS, type Step, type StepFunction } from '../shared/work/steps.ts';
import { upgradePayload, type Versioned } from '../shared/work/versions.ts';
import type { Observability } from './powertools.ts';

/** The results that the workflows' choices read; a step that is not listed may return any small value. */
interface StepResults {
  begin: BeginResult;
  foundation: ReadyResult;
  egress: ReadyResult;
  endpoint: ReadyResult;
  certificates: PreparedResult;
  certificatesWhileUnready: PreparedResult;
  outside: PreparedResult;
  teardown: DoneResult;
  removeEndpoint: DoneResult;
  removeFoundation: DoneResult;
  finish: FinishResult;
  conclude: FinishResult;
  concludeWhileUnready: FinishResult;
  concludeAfterFailure: FinishResult;
  beginProvision: ProceedResult;
  beginRemove: ProceedResult;
  observeInstance: ProgressResult;
  terminateInstance: ProgressResult;
  confirmNode: AwaitResult;
  watchNodes: WatchResult;
  drainNode: ProgressResult;
  leaveEtcd: ProgressResult;
  beginPool: BeginPoolResult;
  poolBootstrap: PoolBootstrapResult;
  reconcilePool: ProgressResult;
  removePool: ProgressResult;
}

type ResultOf<S extends string> = S extends keyof StepResults ? StepResults[S] : unknown;

/**
 * The input that a step works on: a converge pass for `cluster-*`, a pool for `pool-*`, a machine for `machine-*`, and
 * either a pass or a machine for `hosts`.
 */
type WorkInput<F extends StepFunction> = F extends 'hosts'
  ? ConvergeInput | MachineInput
  : F extends `cluster-${string}`
    ? ConvergeInput
    : F extends `pool-${string}`
      ? PoolInput
      : MachineInput;

/** The input of a step; `failure` is set only if a failure was caught. */
export type StepInput<F extends StepFunction> = WorkInput<F> & { failure?: Failure };

/** `step` names an entry of the function's table of steps. */
export type StepEvent<F extends StepFunction> = StepInput<F> & { step: string };

/** What a step gets besides its input: a log that already has the function, the step and the object. */
export interface StepContext {
  log: Log;
}

/** Exactly the steps that STEPS lists for the function: a missing or additional step does not compile. */
export type StepTable<F extends StepFunction> = {
  [S in Step<F>]: (event: StepInput<F>, context: StepContext) => Promise<ResultOf<S>>;
};

/** A Lambda handler. The second argument is the Lambda context, which is not used. */
export type StepHandler<F extends StepFunction> = (event: StepEvent<F>, context?: unknown) => Promise<unknown>;

type AnyEvent = (ConvergeInput | MachineInput | PoolInput) & { step: string } & Versioned;

const objectOf = (event: AnyEvent): LogKeys => {
  if ('machine' in event) {
    const { namespace, clusterName: cluster, name: machine, uid } = event.machine ?? {};
    return { namespace, cluster, machine, uid };
  }
  if ('pool' in event) {
    const { namespace, clusterName: cluster, name: pool, uid } = event.pool ?? {};
    return { namespace, cluster, pool, uid };
  }
  const { namespace, name: cluster, uid } = event.cluster ?? {};
  return { namespace, cluster, uid };
};

const keysOf = (functionName: string, event: AnyEvent): LogKeys => ({
  function: functionName,
  step: event.step,
  ...objectOf(event),
  holder: event.holder,
});

/**
 * The Lambda handler of one step function. It calls the step that the event names. AWS errors become Throttled,
 * Transient, QuotaExceeded or Refused (shared/aws/errors.ts); all others keep their class. If the event names no step
 * of this function, the error lists the existing ones.
 */
export const makeStepHandler = <F extends StepFunction>(
  functionName: F,
  steps: StepTable<F>,
  { log, clock, metrics = noMetrics, middlewares = [] }: StepObservability,
): StepHandler<F> => {
  const known: readonly string[] = STEPS[functionName];

  const runStep = async (given: AnyEvent): Promise<unknown> => {
    const event = upgradePayload(given);
    if (!known.includes(event.step)) {
      throw new Error(`${functionName} has no step "${event.step}"; its steps are ${known.join(', ')}`);
    }
    const step = steps[event.step as Step<F>];
    return await step(event as AnyEvent & StepEvent<F>, { log: log.with(keysOf(functionName, event)) });
  };

  const handler = middy<AnyEvent, unknown>()
    .use([...middlewares])
    .use(measure(metrics, clock))
    .use(logOutcome(functionName, log, clock))
    .use(translateErrors())
    .handler(runStep);
  return async (event, context) => handler(event, (context ?? {}) as Parameters<typeof handler>[1]);
};

export interface StepObservability extends Partial<Observability> {
  log: Log;
  clock: Clock;
}

type StepMiddleware = middy.MiddlewareObj<AnyEvent, unknown>;

/**
 * Logs one line for each invocation. It is the outermost middleware and sees the translated error, because onError runs
 * inside out.
 */
const logOutcome = (functionName: string, log: Log, clock: Clock): StepMiddleware => {
  const started = new WeakMap<object, number>();
  const line = (request: { event: AnyEvent }) => {
    const now = clock.now().getTime();
    return log.with({ ...keysOf(functionName, request.event), milliseconds: now - (started.get(request) ?? now) });
  };
  return {
    before: (request) => {
      started.set(request, clock.now().getTime());
    },
    // The braces matter: a value that a middleware returns would replace the step's result.
    after: (request) => {
      line(request).info('step finished');
    },
    onError: (request) => {
      line(request).error('step failed', describeError(request.error));
    },
  };
};

/** Measures how long each step takes, which errors it has, and why passes run. */
const measure = (metrics: Metrics, clock: Clock): StepMiddleware => {
  const started = new WeakMap<object, number>();
  const tookTime = (request: object): void => {
    const now = clock.now().getTime();
    metrics.add('StepDuration', now - (started.get(request) ?? now));
  };
  return {
    before: (request) => {
      started.set(request, clock.now().getTime());
    },
    after: (request) => {
      tookTime(request);
      if (request.event.step === 'begin') metrics.add('Passes', 1, { mode: (request.response as BeginResult).mode });
    },
    onError: (request) => {
      tookTime(request);
      metrics.add('Failures', 1, { error: request.error?.name ?? 'Error' });
    },
  };
};

const translateErrors = (): StepMiddleware => ({
  onError: (request) => {
    request.error = withShortMessage(withoutQuotes(translateAwsError(request.error)));
  },
});
