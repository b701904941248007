import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  Choice,
  Condition,
  DefinitionBody,
  type IChainable,
  type INextable,
  JitterType,
  JsonPath,
  LogLevel,
  Pass,
  Result,
  type RetryProps,
  type State,
  StateMachine,
  StateMachineFragment,
  StateMachineType,
  TaskInput,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { LAMBDA_RETRY_POLICIES, RETRY_POLICIES, type RetryPolicy } from '../../../shared/errors.ts';
import { PAYLOAD_VERSION } from '../../../shared/work/payloads.ts';
import { PROVIDED_STEPS, STEPS } from '../../../shared/work/steps.ts';
import { CORE_FUNCTIONS, type CoreStepFunction, type OfFunctions } from '../../bundle/entries.ts';
import type { Settings } from '../settings.ts';
import type { ProviderFunctions } from './providers.ts';
import { stepTimeoutSeconds } from './step.ts';

/** A task's timeout exceeds its function's by this time, so that the function's own timeout is reported. */
const GRACE_SECONDS = 10;

/** The objects that a workflow processes. */
type Family = keyof typeof PROVIDED_STEPS;

export type StepFunctions = OfFunctions<IFunction>;

/** The functions that execute the steps of the workflows. */
export interface Workers {
  functions: StepFunctions;
  /** The functions for the steps of infrastructure: each provider serves all of them. */
  providers: readonly ProviderFunctions[];
}

/** A task, or the choice between the tasks of several providers. */
export type Step = IChainable & { next(next: IChainable): IChainable };

/**
 * Where a task stores its result: named fields of the function's answer, under the JSONPath `at`; without it, only
 * these fields remain.
 */
export interface Keep {
  at?: string;
  fields: readonly string[];
}

export interface TaskOptions {
  /** If absent, the function's answer is dropped and the state's input is passed on unchanged. */
  keep?: Keep;
  /** The step that reports a failure of this one. Tasks inside a Parallel leave it to the Parallel's own Catch. */
  catchTo?: State;
  /** Additional members of the function's input, as `{ "member.$": "$.path" }`. */
  extra?: Readonly<Record<string, string>>;
}

const retrier = (errors: readonly string[], policy: RetryPolicy): RetryProps => ({
  errors: [...errors],
  interval: Duration.seconds(policy.intervalSeconds),
  maxAttempts: policy.maxAttempts,
  backoffRate: policy.backoffRate,
  maxDelay: Duration.seconds(policy.maxDelaySeconds),
  jitterStrategy: JitterType.FULL,
});

/**
 * The retriers of every task: one for each retryable error class, and those for errors of Lambda itself. They are
 * derived from shared/errors.ts, so that a new class with a policy is retried everywhere without a change here.
 */
const taskRetriers = (): RetryProps[] => [
  ...Object.entries(RETRY_POLICIES).map(([name, policy]) => retrier([name], policy)),
  ...LAMBDA_RETRY_POLICIES.map(({ errors, policy }) => retrier(errors, policy)),
];

/**
 * Creates the tasks of one workflow, named after their steps. `input` lists the fields of the execution's input that
 * every step receives.
 */
export const taskMaker = (scope: Construct, options: Workers & { family: Family; input: readonly string[] }) => {
  const { family, functions, providers, input } = options;
  const references = Object.fromEntries(input.map((field) => [`${field}.$`, `$.${field}`]));

  const invoke = (
    step: string,
    { stateName, lambda, seconds }: { stateName: string; lambda: IFunction; seconds: number },
    wanted: TaskOptions,
  ): LambdaInvoke => {
    const { keep } = wanted;
    const task = new LambdaInvoke(scope, stateName, {
      stateName,
      lambdaFunction: lambda,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
      payload: TaskInput.fromObject({ step, version: PAYLOAD_VERSION, ...references, ...wanted.extra }),
      taskTimeout: Timeout.duration(Duration.seconds(seconds + GRACE_SECONDS)),
      resultPath: keep === undefined ? JsonPath.DISCARD : keep.at,
      resultSelector:
        keep === undefined ? undefined : Object.fromEntries(keep.fields.map((field) => [`${field}.$`, `$.${field}`])),
    });
    for (const retrier of taskRetriers()) task.addRetry(retrier);
    if (wanted.catchTo) task.addCatch(wanted.catchTo, CATCH_ALL);
    return task;
  };

  const core = (step: string, wanted: TaskOptions = {}): LambdaInvoke => {
    const name = functionOf(family, step);
    const seconds = stepTimeoutSeconds(name);
    return invoke(step, { stateName: step, lambda: functions[name], seconds }, wanted);
  };

  /** With only one provider, it is just the task: a choice would cost a transition in each pass. */
  const provided = (step: string, wanted: TaskOptions = {}): Step => {
    const chooser = chooserOf(family, step);
    const make = ({ steps }: ProviderFunctions, stateName: string) => {
      const served = steps[step];
      if (!served) throw new Error(`a provider of infrastructure serves no step "${step}"`);
      return invoke(step, { stateName, ...served }, wanted);
    };
    const serving = providers.filter(({ steps }) => family !== 'pool' || steps[step]);
    const [only, ...others] = serving;
    if (only && others.length === 0) return make(only, step);
    return new ByProvider(scope, step, {
      path: `$.begin.${chooser}`,
      nothing: { at: wanted.keep ? wanted.keep.at : JsonPath.DISCARD, result: NOTHING_TO_DO },
      tasks: serving.map((provider) => ({
        provider: provider.name,
        task: make(provider, `${step} (${provider.name})`),
      })),
    });
  };
  return { core, provided };
};

/** Replaces a provider's answer if none serves the infrastructure: nothing was created, so nothing is left. */
const NOTHING_TO_DO = { ready: false, done: true, progress: 'done', waitSeconds: 0 } as const;

/** Leads to the task of the provider that an earlier step has named, or past it if there is none. */
class ByProvider extends StateMachineFragment {
  readonly startState: State;
  readonly endStates: INextable[];
  constructor(
    scope: Construct,
    id: string,
    {
      path,
      nothing,
      tasks,
    }: {
      path: string;
      nothing: { at: string | undefined; result: object };
      tasks: readonly { provider: string; task: LambdaInvoke }[];
    },
  ) {
    super(scope, `${id} of the provider`);
    const choice = new Choice(scope, `who does ${id}?`);
    for (const { provider, task } of tasks) choice.when(Condition.stringEquals(path, provider), task);
    const pass = new Pass(scope, `no workflow step runs ${id}`, {
      result: Result.fromObject(nothing.result),
      resultPath: nothing.at,
    });
    choice.otherwise(pass);
    this.startState = choice;
    this.endStates = [...tasks.map(({ task }) => task), pass];
  }
}

/** The field in the answer of `begin` that selects the provider for a step. */
const chooserOf = (family: Family, step: string): string => {
  const chooser = (PROVIDED_STEPS[family] as Readonly<Record<string, string>>)[step];
  if (chooser === undefined)
    throw new Error(`shared/work/steps.ts: no provider serves the step "${step}" of a ${family}`);
  return chooser;
};

/** A permanent failure goes to the step that reports it, with the error's name and cause at `$.failure`. */
export const CATCH_ALL = { errors: ['States.ALL'], resultPath: '$.failure' };

/** The function that runs `step` in the workflows of `family`; throws for a step that shared/work/steps.ts lacks. */
const functionOf = (family: string, step: string): CoreStepFunction => {
  const found = CORE_FUNCTIONS.find(
    (name): name is CoreStepFunction =>
      name.startsWith(`${family}-`) &&
      name in STEPS &&
      (STEPS[name as CoreStepFunction] as readonly string[]).includes(step),
  );
  if (found === undefined) throw new Error(`shared/work/steps.ts: no ${family} function has the step "${step}"`);
  return found;
};

/**
 * A Standard state machine whose failures are logged (without their payload), and whose executions are traced. Its name
 * is fixed, because functions that its tasks call start its executions: they compute its ARN and do not depend on it.
 */
export const workflow = (
  scope: Construct,
  options: { id: string; name: string; start: IChainable; timeout: Duration; settings: Settings },
): StateMachine =>
  new StateMachine(scope, options.id, {
    stateMachineName: options.name,
    stateMachineType: StateMachineType.STANDARD,
    definitionBody: DefinitionBody.fromChainable(options.start),
    timeout: options.timeout,
    tracingEnabled: true,
    logs: {
      destination: new LogGroup(scope, `${options.id}Log`, {
        logGroupName: `/aws/vendedlogs/states/${options.name}`,
        retention: options.settings.logRetention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      // Logging every event of every execution would be most of the cost of all logs, and the history of an execution
      // keeps the same data for 90 days.
      level: LogLevel.ERROR,
      includeExecutionData: false,
    },
  });
