import { count, some } from '../../shared/plan/words.ts';
import type { ClusterPlan, InPlace, Named, OwnerPlan, Step } from './plan.ts';
import type { Preview } from './preview.ts';

const text = ({ kind, name }: Named): string => `${kind} ${name}`;

const oneLine = (message: string): string => message.replace(/^\* /, '').replaceAll('\n', '; ');

const sizes = (steps: readonly Step[], of: (step: Step) => number): number => Math.max(0, ...steps.map(of));

/** The largest number of machines in one pass: `one`, or at most so many. */
const pace = (steps: readonly Step[]): string => {
  const most = Math.max(
    sizes(steps, ({ make }) => make.length),
    sizes(steps, ({ remove }) => remove.length),
  );
  const all =
    steps.length === 1 || (steps.length === 2 && steps.every(({ make, remove }) => !(make.length && remove.length)));
  if (all && most > 1) return 'all at once';
  return most === 1 ? 'one at a time' : `${most} at a time`;
};

const madeText = ({ make }: Step): string => {
  const domains = [...new Set(make.map(({ failureDomain }) => failureDomain))].filter((zone) => zone !== undefined);
  const where = domains.length > 0 ? ` in ${domains.sort().join(', ')}` : '';
  const known = make.flatMap(({ name }) => name ?? []);
  return `${known.length === make.length ? some(known, 3) : count(make.length, 'Machine')}${where}`;
};

const goneText = ({ remove }: Step): string =>
  some(
    remove.map(({ name, instance }) => (instance ? `${name} (${instance})` : name)),
    3,
  );

/** The actions of a step, with the known names. */
const stepText = (step: Step): string =>
  [
    ...(step.make.length > 0 ? [`creates ${madeText(step)}`] : []),
    ...(step.remove.length > 0 ? [`deletes ${goneText(step)}`] : []),
  ].join(', ');

/** The only step of an owner, after its headline. */
const onlyStep = (step: Step): string => {
  if (step.make.length > 0 && step.remove.length > 0) return `: ${stepText(step)}`;
  if (step.remove.length > 0) return `: ${goneText(step)}`;
  return step.make.some(({ name, failureDomain }) => name !== undefined || failureDomain) ? `: ${madeText(step)}` : '';
};

const headline = ({ owner, steps, bounds, outdated = 0 }: OwnerPlan): string => {
  const sum = (of: (step: Step) => readonly unknown[]): number =>
    steps.reduce((total, step) => total + of(step).length, 0);
  const made = Math.max(
    sum(({ make }) => make),
    outdated,
  );
  const removed = Math.max(
    sum(({ remove }) => remove),
    outdated,
  );
  const replaced = Math.min(made, removed);
  const parts = [
    ...(replaced > 0 ? [`replaces ${count(replaced, 'Machine')}`] : []),
    ...(made > replaced ? [`creates ${count(made - replaced, 'Machine')}`] : []),
    ...(removed > replaced ? [`deletes ${count(removed - replaced, 'Machine')}`] : []),
  ];
  const how = made + removed > 1 ? `, ${pace(steps)}` : '';
  const within =
    bounds && replaced > 0 ? ` (at most ${bounds.most} exist, at least ${bounds.fewest} are available)` : '';
  const [only] = steps;
  const names = only && steps.length === 1 ? onlyStep(only) : '';
  return `${text(owner)} ${parts.join(' and ')}${how}${within}${names}`;
};

const isOnly = ({ make, remove }: Step, what: 'make' | 'remove'): boolean =>
  what === 'make' ? make.length > 0 && remove.length === 0 : make.length === 0 && remove.length > 0;

/** A step that creates machines and a step that deletes the replaced ones are one turn, in either order. */
const turnsOf = (steps: readonly Step[]): Step[][] => {
  const turns: Step[][] = [];
  for (const step of steps) {
    const [first, second] = turns.at(-1) ?? [];
    const isSecond =
      first !== undefined &&
      second === undefined &&
      ((isOnly(first, 'make') && isOnly(step, 'remove')) || (isOnly(first, 'remove') && isOnly(step, 'make')));
    if (isSecond) turns.at(-1)?.push(step);
    else turns.push([step]);
  }
  return turns;
};

const shape = (turn: readonly Step[]): string =>
  turn.map(({ make, remove }) => `${make.length}/${remove.length}`).join();

/** The turns of an owner, in order. Of several equal turns in a row, only the first and the last are listed. */
const turnLines = ({ owner, steps, outdated }: OwnerPlan, most: number): string[] => {
  const turns = turnsOf(steps);
  if (steps.length === 1) return [];
  const number = (at: number): string => (outdated === undefined ? `${at + 1}/${turns.length}` : `${at + 1}`);
  const line = (at: number): string =>
    `${text(owner)} ${number(at)}: ${(turns[at] ?? []).map(stepText).join(', then ')}`;
  const isLike = (at: number): boolean => shape(turns[at] ?? []) === shape(turns[at - 1] ?? []);
  const isHidden = (at: number): boolean =>
    turns.length > most && at > 0 && isLike(at) && at + 1 < turns.length && isLike(at + 1);
  return turns.flatMap((_, at) => {
    if (!isHidden(at)) return [line(at)];
    if (isHidden(at - 1)) return [];
    let until = at;
    while (isHidden(until + 1)) until += 1;
    return [`${text(owner)} ${number(at)} to ${number(until)}: the same with other Machines`];
  });
};

const ownerLines = (plan: OwnerPlan, most: number): string[] => {
  const { owner, steps, reasons, newSet, waits, blocked } = plan;
  const isReplacing = steps.some(({ remove }) => remove.length > 0);
  return [
    ...(steps.length > 0 ? [headline(plan)] : []),
    ...(reasons.length > 0 && (isReplacing || blocked) ? [`${text(owner)} because: ${reasons.join('; ')}`] : []),
    ...(newSet ? [`${text(owner)} creates MachineSet ${newSet}`] : []),
    ...(waits ? [`${text(owner)} first waits: ${oneLine(waits)}`] : []),
    ...turnLines(plan, most),
    ...(blocked ? [`${text(owner)} is blocked: ${oneLine(blocked)}`] : []),
  ];
};

const inPlaceLine = ({ owner, fields, machines }: InPlace): string =>
  `${text(owner)} changes ${count(machines.length, 'Machine')} in place (${some(fields, 8)}): ${some(machines, 3)}`;

const firstPass = ({ steps }: OwnerPlan): number => steps[0]?.pass ?? Number.MAX_SAFE_INTEGER;

/**
 * The plan of one cluster in sentences, one per line. `turns`: how many of an owner's steps are listed individually.
 */
export const describeCluster = (
  { owners, inPlace, pools, notes, complete }: ClusterPlan,
  { turns = 7 } = {},
): string[] => [
  ...notes,
  ...[...owners].sort((a, b) => firstPass(a) - firstPass(b)).flatMap((owner) => ownerLines(owner, turns)),
  ...inPlace.map(inPlaceLine),
  ...pools.flatMap(({ owner, lines }) => lines.map((line) => `${text(owner)} ${line}`)),
  ...(complete ? [] : ['it continues in this way; the plan was not computed to its end']),
];

/** A plan in sentences, one per line. `turns`: how many of an owner's steps are listed individually. */
export const describePreview = ({ clusters, notes }: Preview, { turns = 7 } = {}): string[] => {
  const lines = [...notes, ...clusters.flatMap((plan) => describeCluster(plan, { turns }))];
  return lines.length > 0 ? lines : ['no Machine is created, replaced or deleted'];
};
