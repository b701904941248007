/**
 * The supported part of the Amazon States Language. The interpreter silently ignores what it does not know, which must
 * be refused.
 */

interface State {
  Type: string;
  Resource?: string;
  Branches?: readonly Machine[];
  [field: string]: unknown;
}

interface Machine {
  StartAt: string;
  States: Readonly<Record<string, State>>;
  [field: string]: unknown;
}

const FLOW = ['Type', 'Comment', 'Next', 'End', 'InputPath', 'OutputPath'];
const RESULT = ['Parameters', 'ResultSelector', 'ResultPath', 'Retry', 'Catch'];

/** The fields that the interpreter supports for each type of state. A type that is missing here is refused. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Task: [...FLOW, ...RESULT, 'Resource', 'TimeoutSeconds'],
  Parallel: [...FLOW, ...RESULT, 'Branches'],
  Pass: [...FLOW, 'Parameters', 'ResultPath', 'Result'],
  Wait: [...FLOW, 'Seconds', 'SecondsPath'],
  Choice: [...FLOW, 'Choices', 'Default'],
  Succeed: FLOW,
  Fail: ['Type', 'Comment', 'Error', 'Cause', 'ErrorPath', 'CausePath'],
};

const MACHINE_FIELDS = ['Comment', 'StartAt', 'States', 'Version', 'TimeoutSeconds'];

const FUNCTION_ARN = /^arn:[^:]+:lambda:/;

/** A task of a definition and the function that it calls. */
export interface Task {
  name: string;
  functionArn: string;
}

const problemsOf = (name: string, state: State): string[] => {
  const fields = FIELDS[state.Type];
  if (fields === undefined) return [`state "${name}": the laptop does not run states of type ${state.Type}`];
  const unknown = Object.keys(state).filter((field) => !fields.includes(field));
  const problems = unknown.map((field) => `state "${name}": the laptop does not know the field ${field}`);
  if (state.Type === 'Task' && !FUNCTION_ARN.test(state.Resource ?? ''))
    problems.push(`state "${name}": the laptop runs only functions, not ${state.Resource}`);
  // The interpreter would treat "$" as the name of a field; an omitted path has the same meaning.
  if ([state, ...((state.Catch ?? []) as Record<string, unknown>[])].some(({ ResultPath }) => ResultPath === '$'))
    problems.push(`state "${name}": the laptop does not know the ResultPath "$"; leave it out`);
  return problems;
};

/** Every state of a machine, including those in branches. */
const statesOf = (machine: Machine): [name: string, state: State][] =>
  Object.entries(machine.States).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...(state.Branches ?? []).flatMap(statesOf),
  ]);

/**
 * The tasks of a definition. Throws an Error with every field, state type and resource that the laptop would not run
 * exactly like Step Functions: JSONata, variables, task tokens, distributed maps and service integrations.
 */
export const tasksOf = (definition: string): Task[] => {
  const machine = JSON.parse(definition) as Machine;
  const foreign = Object.keys(machine).filter((field) => !MACHINE_FIELDS.includes(field));
  const states = statesOf(machine);
  const problems = [
    ...foreign.map((field) => `the laptop does not know the field ${field} of a state machine`),
    ...states.flatMap(([name, state]) => problemsOf(name, state)),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return states
    .filter(([, { Type }]) => Type === 'Task')
    .map(([name, { Resource = '' }]) => ({ name, functionArn: Resource }));
};
