/** The deployed workflows with two providers, run by the laptop's interpreter on a clock that is advanced manually. */
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FUNCTION_NAMES, type FunctionName } from '../../infra/bundle/entries.ts';
import { readSettings } from '../../infra/constructs/settings.ts';
import { awsFunctions, type ProviderFunctions } from '../../infra/constructs/workflow/providers.ts';
import { tasksOf } from '../../infra/local/engines/states/definition.ts';
import { makeMachine, type Outcome, type Run } from '../../infra/local/engines/states/machine.ts';
import { convergeCluster } from '../../infra/workflows/converge-cluster.ts';
import { provisionMachine } from '../../infra/workflows/provision-machine.ts';
import { removeMachine } from '../../infra/workflows/remove-machine.ts';
import { PROVIDED_STEPS } from '../../shared/work/steps.ts';

const arnOf = (name: string): string => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;

/** The function of the second provider; the waits of the workflows are replaced by a task that waits on the clock. */
export const SECOND_FUNCTION = 'second';
const CLOCK_FUNCTION = 'clock';

interface State {
  Type: string;
  Next?: string;
  SecondsPath?: string;
  States?: Record<string, State>;
}

const onClock = (state: State): State =>
  state.Type === 'Wait'
    ? ({
        Type: 'Task',
        Resource: arnOf(CLOCK_FUNCTION),
        Parameters: { 'seconds.$': state.SecondsPath },
        ResultPath: null,
        Next: state.Next,
      } as State)
    : state;

const withClock = (definition: string): string => {
  const machine = JSON.parse(definition) as { States: Record<string, State> };
  const States = Object.fromEntries(Object.entries(machine.States).map(([name, state]) => [name, onClock(state)]));
  return JSON.stringify({ ...machine, States });
};

/** The definition of each state machine in a stack, with its functions instead of references to them. */
const definitionsOf = (stack: Stack): Map<string, string> =>
  new Map(
    Object.values(Template.fromStack(stack).findResources('AWS::StepFunctions::StateMachine')).map(
      ({ Properties: { StateMachineName, DefinitionString } }) => {
        const text =
          typeof DefinitionString === 'string'
            ? DefinitionString
            : DefinitionString['Fn::Join'][1].map(String).join('');
        return [StateMachineName, text];
      },
    ),
  );

const synthesize = (provider: string): Map<string, string> => {
  // Loading CDK's own rules takes seconds in each process; tests of the template apply them.
  const app = new App({ builtinCloudFormationValidation: false });
  const settings = readSettings(app.node);
  const stack = new Stack(app, 'Two', { env: { account: '000000000000', region: 'us-east-1' } });
  const from = (name: string) => LambdaFunction.fromFunctionArn(stack, `of-${name}`, arnOf(name));
  const functions = Object.fromEntries(FUNCTION_NAMES.map((name) => [name, from(name)])) as Record<
    FunctionName,
    ReturnType<typeof from>
  >;
  const lambda = from(SECOND_FUNCTION);
  const names = Object.values(PROVIDED_STEPS).flatMap((steps) => Object.keys(steps));
  const second: ProviderFunctions = {
    name: provider,
    steps: Object.fromEntries(names.map((step) => [step, { lambda, seconds: 60 }])),
  };
  const workers = { functions, providers: [awsFunctions(functions), second], settings };
  convergeCluster(stack, { name: 'converge', ...workers });
  provisionMachine(stack, { name: 'provision', ...workers });
  removeMachine(stack, { name: 'remove', ...workers });
  return definitionsOf(stack);
};

/** Answers the tasks of the workflows by the name of their function. */
export type Invoke = (functionName: string, input: unknown) => Promise<unknown>;

export interface Workflows {
  start(workflow: 'converge' | 'provision' | 'remove', name: string, input: unknown): void;
  /** Ends running executions; resolves to the outcomes that are not successes. */
  stop(): Promise<Outcome[]>;
}

/** `wait` resolves when this many seconds have passed. `provider` is the one in addition to AWS. */
export const makeWorkflows = (
  invoke: Invoke,
  wait: (seconds: number) => Promise<void>,
  provider: string,
): Workflows => {
  const runs = new Map<string, Run>();
  const ask = async (arn: string, input: unknown): Promise<unknown> => {
    const name = arn.split(':').at(-1) ?? '';
    if (name === CLOCK_FUNCTION) return wait((input as { seconds: number }).seconds);
    return invoke(name, input);
  };
  const machines = new Map(
    [...synthesize(provider)].map(([name, definition]) => {
      const text = withClock(definition);
      return [name, makeMachine(text, tasksOf(text), ask)];
    }),
  );
  return {
    start: (workflow, name, input) => {
      const key = `${workflow}/${name}`;
      const run = machines.get(workflow);
      if (!run) throw new Error(`no workflow ${workflow}`);
      if (!runs.has(key)) runs.set(key, run(input, {}));
    },
    stop: async () => {
      const outcomes = await Promise.all(
        [...runs.values()].map(async (run) => {
          run.abort();
          return run.outcome;
        }),
      );
      return outcomes.filter(({ status }) => status !== 'SUCCEEDED' && status !== 'ABORTED');
    },
  };
};
