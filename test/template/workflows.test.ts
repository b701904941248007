import validate from 'asl-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { synthesizeFixture } from '../../infra/fixture-stack.ts';
import { tasksOf } from '../../infra/local/engines/states/definition.ts';
import * as errors from '../../shared/errors.ts';
import { LIMIT } from '../../shared/test-patience.ts';
import { FORMER_STEPS, STEPS, type StepFunction } from '../../shared/work/steps.ts';
import { type AslState, type Definition, definitionsOf } from './definitions.ts';

let definitions: Definition[];

beforeAll(() => {
  definitions = definitionsOf(synthesizeFixture());
}, LIMIT);

const tasks = () =>
  definitions.flatMap(({ name: workflow, states }) =>
    states.filter(({ state }) => state.Type === 'Task').map((found) => ({ workflow, ...found })),
  );

const functionOf = ({ Resource = '' }: AslState): string => Resource.split(':function:Windlass-')[1] ?? '';

/** The last steps of a workflow, which report failures. If they fail themselves, only the execution shows this. */
const LAST_RESORT = ['fail', 'requeue'];

/** After one of these tasks has failed, the pass continues for the objects that have not. */
const FAILING: Readonly<Record<string, string>> = { machines: 'workloadAfterFailure' };

describe('workflows', () => {
  it('are the four expected ones', () => {
    expect(definitions.map(({ name }) => name).sort()).toEqual([
      'converge-cluster',
      'converge-pool',
      'provision-machine',
      'remove-machine',
    ]);
  });

  it('are valid Amazon States Language', () => {
    for (const { name, text } of definitions) {
      const { isValid, errorsText } = validate(JSON.parse(text), { checkArn: true, checkPaths: true });
      expect(isValid, `${name}: ${errorsText()}`).toBe(true);
    }
  });

  it('use only features that the laptop supports', () => {
    for (const { text } of definitions) expect(tasksOf(text).length).toBeGreaterThan(0);
    expect(definitions.map(({ text }) => text).join('')).not.toMatch(/JSONata|QueryLanguage|"Assign"|waitForTaskToken/);
  });

  it('retry every retryable error in every task, and no error without a class', () => {
    const classNames = Object.values(errors)
      .filter((value) => typeof value === 'function')
      .map((Class) => new Class('').name);
    const ofLambda = errors.LAMBDA_RETRY_POLICIES.flatMap((one) => one.errors);
    const known = [...classNames, ...ofLambda];
    for (const { workflow, name, state } of tasks()) {
      const retried = (state.Retry ?? []).flatMap(({ ErrorEquals }) => ErrorEquals);
      const wanted = [...Object.keys(errors.RETRY_POLICIES), ...ofLambda];
      expect(retried.sort(), `${workflow}/${name}`).toEqual(wanted.sort());
      expect(retried.filter((error) => !known.includes(error))).toEqual([]);
    }
  });

  // Lambda's names for a process that has ended before its response: https://docs.aws.amazon.com/lambda/latest/dg/.
  it.each(['Runtime.ExitError', 'Runtime.OutOfMemory', 'Sandbox.Timedout'])(
    'retry, in every task, a process that ended with %s',
    (error) => {
      for (const { workflow, name, state } of tasks()) {
        const retry = (state.Retry ?? []).find(({ ErrorEquals }) => ErrorEquals.includes(error));
        expect(retry?.MaxAttempts, `${workflow}/${name}`).toBeGreaterThan(1);
      }
    },
  );

  // For a function in a VPC that was idle for weeks:
  // https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html.
  it.each(['ResourceNotReadyException', 'ResourceConflictException', 'ENINotReadyException', 'EC2ThrottledException'])(
    'wait, in every task, for a function that Lambda still connects to its VPC: %s',
    (error) => {
      for (const { workflow, name, state } of tasks()) {
        const retry = (state.Retry ?? []).find(({ ErrorEquals }) => ErrorEquals.includes(`Lambda.${error}`));
        expect(retry, `${workflow}/${name}`).toMatchObject({ MaxAttempts: 40 });
      }
    },
  );

  it('try again as long after a refused invocation as after a throttled call', () => {
    const delaysOf = (retry: object | undefined) => ({ ...retry, ErrorEquals: undefined });
    for (const { workflow, name, state } of tasks()) {
      const [refused, throttled] = ['Lambda.TooManyRequestsException', 'Throttled'].map((error) =>
        (state.Retry ?? []).find(({ ErrorEquals }) => ErrorEquals.includes(error)),
      );
      expect(throttled, `${workflow}/${name}`).toMatchObject({ MaxAttempts: 40 });
      expect(delaysOf(refused), `${workflow}/${name}`).toEqual(delaysOf(throttled));
    }
  });

  it('catch permanent failures and store them at $.failure', () => {
    for (const { workflow, name, state, enclosing } of tasks()) {
      const catchers = state.Catch ?? enclosing?.Catch;
      if (LAST_RESORT.includes(name)) expect(catchers, `${workflow}/${name}`).toBeUndefined();
      else
        expect(catchers, `${workflow}/${name}`).toEqual([
          { ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: FAILING[name] ?? 'fail' },
        ]);
    }
  });

  it('have exactly the current steps of the table, each once in a workflow, at the functions that the table names', () => {
    const used = tasks().map(({ name, state }) => `${functionOf(state)} ${name}`);
    // Hosts are only served if the context says so: context.test.ts.
    const listed = (Object.keys(STEPS) as StepFunction[])
      .filter((name) => name !== 'hosts')
      .flatMap((name) =>
        STEPS[name].filter((step) => !FORMER_STEPS[name]?.includes(step)).map((step) => `${name} ${step}`),
      );
    expect([...new Set(used)].sort()).toEqual(listed.sort());
    const places = tasks().map(({ workflow, name }) => `${workflow}/${name}`);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
    for (const { name, state } of tasks()) expect(state.Parameters?.step).toBe(name);
  });

  it('give every task a time limit and keep only those parts of its result that a choice reads', () => {
    for (const { workflow, name, state } of tasks()) {
      expect(state.TimeoutSeconds, `${workflow}/${name}`).toBeGreaterThan(0);
      const keeps = state.ResultPath !== null;
      expect(keeps, `${workflow}/${name}`).toBe(state.ResultSelector !== undefined);
    }
  });

  it('pass references and never objects', () => {
    for (const { name, state } of tasks()) {
      const allowed = [
        'step',
        'version',
        'cluster.$',
        'wanted.$',
        'seen.$',
        'checked.$',
        'machine.$',
        'pool.$',
        'since.$',
        'digest.$',
        'outcome.$',
        'finished.$',
        'holder.$',
        ...(['fail', 'concludeAfterFailure'].includes(name) ? ['failure.$'] : []),
      ];
      expect(Object.keys(state.Parameters ?? {}).filter((key) => !allowed.includes(key))).toEqual([]);
    }
  });
});
