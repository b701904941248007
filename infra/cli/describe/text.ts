/** A cluster as `windlass describe cluster` prints it. Pure. */
import type { Event } from '../../../shared/kinds/index.ts';
import type { CostEstimate } from '../../../shared/providers/aws/plan/cost/estimate.ts';
import type { Paint } from '../progress/render.ts';
import { type Placed, place } from '../progress/strokes.ts';
import { ageOf } from './age.ts';
import type { AnyCondition } from './conditions.ts';
import { isGood } from './conditions.ts';
import { lastSeen } from './objects.ts';
import type { Problem } from './problems.ts';
import type { Row } from './rows.ts';
import { costLines, costTitle, topologyLines } from './section-lines.ts';
import { columns } from './table.ts';
import type { Topology } from './topology.ts';

export interface Description {
  namespace: string;
  /** `https://host:port` of the workload cluster; empty as long as it has none. */
  endpoint: string;
  problems: readonly Problem[];
  tree: Row;
  /** Undefined if the infrastructure is not AWS, or if it was not requested. */
  topology?: Topology;
  cost?: CostEstimate;
  events: readonly Event[];
}

export interface TextOptions {
  now: Date;
  /** Whether the conditions of an object are shown below it. */
  showConditions(row: Row): boolean;
  /** The number of last events that are shown. */
  events: number;
  paint: Paint;
}

const INDENT = '  ';

/** If there are more names than this, only their number is shown. */
const NAMED = 3;

const namesOf = (names: readonly string[]): string => {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
};

/** Problems with the same message, whose conditions differ only in their type. */
interface Shown extends Problem {
  types: readonly string[];
}

const isSame = (a: Problem, b: Problem): boolean =>
  a.message !== '' && a.message === b.message && a.reason === b.reason && a.isError === b.isError;

const united = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];

const joined = (all: readonly Shown[], problem: Problem): Shown[] => {
  const at = all.findIndex((one) => isSame(one, problem));
  if (at < 0) return [...all, { ...problem, types: [problem.type] }];
  const join = (one: Shown): Shown => ({
    ...one,
    objects: united(one.objects, problem.objects),
    types: united(one.types, [problem.type]),
  });
  return all.map((one, index) => (index === at ? join(one) : one));
};

const problemLines = ({ objects, types, reason, message, since, isError, next }: Shown, options: TextOptions) => {
  const { now, paint } = options;
  const sign = isError ? paint('failed', '✘') : paint('busy', '…');
  const age = since === '' ? '' : ` for ${ageOf(since, now)}`;
  const code = reason === '' || types.includes(reason) ? '' : ` (${reason})`;
  return [
    `${INDENT}${sign} ${paint('bold', namesOf(objects))}: ${namesOf(types)}${code}${age}`,
    ...message.split('\n').flatMap((line) => (line === '' ? [] : [`${INDENT}${INDENT}${line}`])),
    ...(next === undefined ? [] : [`${INDENT}${INDENT}${paint('dim', 'Next:')} ${next}`]),
  ];
};

const section = (title: string, lines: readonly string[], { paint }: TextOptions): string[] =>
  lines.length === 0 ? [] : ['', paint('bold', title), ...lines];

const problemSections = (problems: readonly Problem[], options: TextOptions): string[] => {
  const linesOf = (some: readonly Problem[]) => some.reduce(joined, []).flatMap((one) => problemLines(one, options));
  const errors = problems.filter(({ isError }) => isError);
  const waits = problems.filter(({ isError }) => !isError);
  return [...section('Problems', linesOf(errors), options), ...section('Waiting for', linesOf(waits), options)];
};

const conditionLine = (condition: AnyCondition, { now, paint }: TextOptions): string => {
  const { type, status, reason = '', message = '', lastTransitionTime } = condition;
  const age = lastTransitionTime ? ageOf(lastTransitionTime, now) : '';
  const text = [`${type}: ${status}`, reason, age, message.replaceAll('\n', ' ')].filter(Boolean).join('  ');
  return paint(isGood(condition) ? 'dim' : 'busy', text);
};

/** Infrastructure objects of machines are shown if they are not ready, or their conditions are requested. */
const visible = (row: Row, options: TextOptions, isMachine = false): Row => ({
  ...row,
  children: row.children
    .filter((child) => !isMachine || !child.isGood || options.showConditions(child))
    .map((child) => visible(child, options, child.object.startsWith('Machine '))),
});

const HEADER = ['NAME', 'STATE', 'VERSION', 'ZONE', 'INSTANCE', 'NODE', 'AGE'];

const cellsOf = ({ node: row, strokes }: Placed<Row>, now: Date): string[] => [
  `${strokes}${row.object}`,
  row.state,
  row.version,
  row.zone,
  row.instance,
  row.node,
  row.created === '' ? '' : ageOf(row.created, now),
];

/** The strokes below a row, for lines that belong to it. */
const below = (strokes: string, hasChildren: boolean): string =>
  `${strokes.replace('├─ ', '│  ').replace('└─ ', '   ')}${hasChildren ? '│  ' : '   '}`;

const treeLines = (tree: Row, options: TextOptions): string[] => {
  const { now, paint, showConditions } = options;
  const placed = place(visible(tree, options));
  const [header = '', ...lines] = columns([HEADER, ...placed.map((one) => cellsOf(one, now))], { header: 1 });
  return [
    paint('dim', header),
    ...placed.flatMap(({ node: row, strokes }, index) => {
      const line = lines[index] ?? '';
      const conditions = showConditions(row) ? row.conditions : [];
      return [
        paint(row.isGood ? 'plain' : 'busy', line),
        ...conditions.map((one) => `${below(strokes, row.children.length > 0)}${conditionLine(one, options)}`),
      ];
    }),
  ];
};

const eventLines = (events: readonly Event[], { now, events: most, paint }: TextOptions): string[] => {
  const shown = most === 0 ? [] : events.slice(-most);
  const rows = shown.map((event) => [
    ageOf(lastSeen(event), now),
    event.type ?? '',
    event.reason ?? '',
    `${event.involvedObject?.kind}/${event.involvedObject?.name}`,
    `${event.message ?? ''}${(event.count ?? 1) > 1 ? ` (${event.count} times)` : ''}`,
  ]);
  return columns(rows, { header: 0 }).map((line, index) => {
    const isWarning = shown[index]?.type === 'Warning';
    return `${INDENT}${paint(isWarning ? 'failed' : 'plain', line)}`;
  });
};

/** The lines of a description: the problems first, then the tree, the network, the cost, and the last events. */
export const describeText = (description: Description, options: TextOptions): string => {
  const { namespace, endpoint, problems, tree, topology, cost, events } = description;
  const { paint } = options;
  const title = [
    paint('bold', tree.object),
    `namespace ${namespace}`,
    paint(tree.isGood ? 'done' : 'busy', tree.state),
  ];
  const lines = [
    [...title, endpoint].filter(Boolean).join('  '),
    ...problemSections(problems, options),
    '',
    ...treeLines(tree, options),
    ...(topology
      ? section(`Network in ${topology.region || 'the region of Windlass'}`, topologyLines(topology, paint), options)
      : []),
    ...(cost ? section(costTitle(cost), costLines(cost, paint), options) : []),
    ...section('Events', eventLines(events, options), options),
  ];
  return `${lines.join('\n')}\n`;
};
