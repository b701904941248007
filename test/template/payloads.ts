import { STEPS, type StepFunction } from '../../shared/work/steps.ts';
import { upgradePayload, type Versioned } from '../../shared/work/versions.ts';
import type { Definition } from './definitions.ts';

/** The input that a task passes to its function, and the fields that it reads from the result. */
export interface TaskPayload {
  workflow: string;
  step: string;
  function: string;
  event: unknown;
  /** The fields of the result that the definition reads. */
  answer: string[];
}

/** A value for each path to which a definition refers. */
const SAMPLE: Readonly<Record<string, unknown>> = {
  '$.cluster': { namespace: 'default', name: 'one', uid: '11111111-1111-4111-8111-111111111111' },
  '$.machine': {
    namespace: 'default',
    name: 'one-x',
    uid: '22222222-2222-4222-8222-222222222222',
    clusterName: 'one',
    clusterUid: '11111111-1111-4111-8111-111111111111',
  },
  '$.pool': {
    namespace: 'default',
    name: 'workers',
    uid: '33333333-3333-4333-8333-333333333333',
    clusterName: 'one',
    clusterUid: '11111111-1111-4111-8111-111111111111',
  },
  '$.begin.since': '2026-01-01T00:00:00Z',
  '$.bootstrap.digest': '0123456789abcdef',
  '$.progress.progress': 'done',
  '$.progress.finished': [{ name: 'one-x', uid: '22222222-2222-4222-8222-222222222222' }],
  '$.wanted': 7,
  '$.holder': '11111111-1111-4111-8111-111111111111-7',
  '$.begin.wanted': 8,
  '$.conclude.wanted': 9,
  '$.infrastructure.changes': false,
  '$.failure': { Error: 'Refused', Cause: '{"errorType":"Refused","errorMessage":"no"}' },
};

const render = (parameters: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => {
      if (!key.endsWith('.$')) return [key, value];
      if (!Object.hasOwn(SAMPLE, String(value))) throw new Error(`no sample of ${value}`);
      return [key.slice(0, -2), SAMPLE[String(value)]];
    }),
  );

/** The input of every task of the definitions, by workflow and step. */
export const payloadsOf = (definitions: readonly Definition[]): TaskPayload[] =>
  definitions.flatMap(({ name: workflow, states }) =>
    states
      .filter(({ state }) => state.Type === 'Task')
      .map(({ name, state }) => ({
        workflow,
        step: name,
        function: (state.Resource ?? '').split(':function:Windlass-')[1] ?? '',
        event: render(state.Parameters ?? {}),
        answer: Object.keys((state.ResultSelector as object | undefined) ?? {})
          .map((key) => key.replace('.$', ''))
          .sort(),
      }))
      .sort((a, b) => a.step.localeCompare(b.step)),
  );

/** Whether the function still has the step. */
export const isServed = ({ function: name, event }: TaskPayload): boolean => {
  const { step } = upgradePayload(event as Versioned & { step: string });
  return Object.hasOwn(STEPS, name) && (STEPS[name as StepFunction] as readonly string[]).includes(step);
};
