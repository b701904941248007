/** Draws a state machine as a Mermaid flowchart. Pure: the same definition gives the same text. */
import type { Condition, Machine, State } from './definition.ts';

const lastPart = (path: string | undefined): string => (path ?? '').split('.').at(-1) ?? '';

const SIGNS: Readonly<Record<string, string>> = {
  NumericEquals: '=',
  NumericGreaterThan: '>',
  NumericGreaterThanEquals: '≥',
  NumericLessThan: '<',
  NumericLessThanEquals: '≤',
  StringEquals: '=',
};

/** A choice's condition as text. Throws for an unknown operator. */
export const wordsOf = (condition: Condition): string => {
  const { And, Or, Not, Variable, Next: _next, ...operators } = condition;
  if (And) return And.map(wordsOf).join(' and ');
  if (Or) return Or.map(wordsOf).join(' or ');
  if (Not) return `not ${wordsOf(Not)}`;
  const [operator = '', value] = Object.entries(operators)[0] ?? [];
  const name = lastPart(Variable);
  if (operator === 'BooleanEquals') return value ? name : `not ${name}`;
  const sign = SIGNS[operator];
  if (sign === undefined) throw new Error(`a diagram cannot show the operator ${operator}`);
  return `${name} ${sign} ${value}`;
};

const SHAPES: Readonly<Record<string, (name: string, state: State) => string>> = {
  Task: (name, { Resource }) => `["${name}<br/><small>${Resource}</small>"]`,
  Choice: (name) => `{"${name}"}`,
  Wait: (_name, { Seconds, SecondsPath }) => `(["wait ${Seconds ?? lastPart(SecondsPath)} s"])`,
  Pass: (name) => `["${name}"]`,
  Succeed: (name) => `(("${name}"))`,
  Fail: (name) => `(("${name}"))`,
};

type Lines = string[];

/** Gives every state an identifier without a special meaning in Mermaid. */
const makeIds = () => {
  const ids = new Map<string, string>();
  return (name: string): string => {
    const id = ids.get(name) ?? `s${ids.size}`;
    ids.set(name, id);
    return id;
  };
};

type IdOf = ReturnType<typeof makeIds>;

const edgesOf = (name: string, { Next, Default, Choices = [] }: State, idOf: IdOf): Lines => [
  ...Choices.map((choice) => `${idOf(name)} -- "${wordsOf(choice)}" --> ${idOf(choice.Next)}`),
  ...(Default === undefined ? [] : [`${idOf(name)} -- else --> ${idOf(Default)}`]),
  ...(Next === undefined ? [] : [`${idOf(name)} --> ${idOf(Next)}`]),
];

const drawState = (name: string, state: State, idOf: IdOf): Lines => {
  if (state.Type === 'Parallel') {
    const branches = (state.Branches ?? []).flatMap((branch) => drawStates(branch, idOf));
    return [`subgraph ${idOf(name)} ["${name}"]`, ...branches.map((line) => `  ${line}`), 'end'];
  }
  const shape = SHAPES[state.Type];
  if (shape === undefined) throw new Error(`a diagram cannot show states of type ${state.Type}`);
  return [`${idOf(name)}${shape(name, state)}`];
};

const drawStates = ({ States }: Machine, idOf: IdOf): Lines => {
  const entries = Object.entries(States);
  const nodes = entries.flatMap(([name, state]) => drawState(name, state, idOf));
  return [...nodes, ...entries.flatMap(([name, state]) => edgesOf(name, state, idOf))];
};

/** All failures go the same way: they are drawn as one edge from a separate node, and not as one from every task. */
const drawFailures = ({ States }: Machine, idOf: IdOf): Lines => {
  const targets = new Set(Object.values(States).flatMap(({ Catch = [] }) => Catch.map(({ Next }) => Next)));
  return [...targets].flatMap((target) => [
    `${idOf('failure of')}>"a task that fails permanently"]`,
    `${idOf('failure of')} -.-> ${idOf(target)}`,
  ]);
};

/** The flowchart, without fences: tasks with their functions, choices with their conditions, waits, parallel branches. */
export const diagramOf = (machine: Machine): string => {
  const idOf = makeIds();
  const start = ['start((" "))', `start --> ${idOf(machine.StartAt)}`];
  const lines = [...start, ...drawStates(machine, idOf), ...drawFailures(machine, idOf)];
  return ['flowchart TD', ...lines.map((line) => `  ${line}`)].join('\n');
};
