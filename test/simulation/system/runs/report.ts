/** Results of lifecycles, as text and as JSON. */
import type { Fault } from '../faults/kinds.ts';
import type { Job, Played } from './jobs.ts';

const option = ({ effect, kind }: Fault): string => `--fault "${effect}:${kind}"`;

/** The command that repeats a lifecycle. */
const commandOf = ({ seed, story, sizes, faults = [], isSwept = false, disturbances }: Job): string =>
  [
    'npm run simulate -- --system --transcript',
    `--first ${seed} --story ${story} --machines ${sizes.controlPlane}+${sizes.workers}`,
    ...(isSwept ? ['--sweep'] : []),
    ...(disturbances ? [`--disturb ${disturbances.most}`] : []),
    ...(disturbances?.only ? [`--changes ${disturbances.only.join(',')}`] : []),
    ...faults.map(option),
  ].join(' ');

/** The violations of a lifecycle, with the command that repeats it, and its transcript if there is one. */
export const told = ({ job, struck, idle, breaches, transcript = [] }: Played): string => {
  const faults = [...struck, ...idle.map((one) => `${one} (nothing to do)`)];
  return [
    ...transcript,
    `seed ${job.seed}, ${job.story}, ${faults.length === 0 ? 'no fault' : faults.join('; ')}:`,
    ...breaches.map((breach) => `  ${breach}`),
    ...(breaches.length > 0 ? [`  ${commandOf(job)}`] : []),
  ].join('\n');
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The kind of a fault, for example `sweep` of `sweep at <effect>`, and `AWS refuses, SlowDown,` with its code. */
const kindOf = (struck: string): string => (struck.split(' at ')[0] ?? '').replace(/,$/, '');

const numberOfEach = (kinds: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]));

/** A summary of the single faults of a story that were run. */
export const toldSingles = ({ effects }: Played, singles: readonly Fault[], played: readonly Played[]): string => {
  const places = new Set(singles.map(({ effect }) => effect)).size;
  const broken = played.filter(({ breaches }) => breaches.length > 0).length;
  const idle = sum(played.map((one) => one.idle.length));
  return `${effects.length} effects, ${singles.length} single faults at ${places} of them, ${played.length} played, ${idle} with nothing to do, ${broken} broken`;
};

/** The figures of all lifecycles together. */
export const figuresOf = (played: readonly Played[]) => {
  const kinds = played.flatMap(({ struck }) => struck.map(kindOf));
  const idle = played.flatMap((one) => one.idle.map(kindOf));
  return {
    lives: played.length,
    faults: kinds.length,
    faultsByKind: numberOfEach(kinds),
    /** Faults that had nothing to do, for example the death of a worker before there is one. */
    withNothingToDo: idle.length,
    withNothingToDoByKind: numberOfEach(idle),
    simulatedHours: Math.round(sum(played.map(({ simulatedSeconds }) => simulatedSeconds)) / 36) / 100,
    processorSeconds: Math.round(sum(played.map(({ processorSeconds }) => processorSeconds))),
    violations: sum(played.map(({ breaches }) => breaches.length)),
  };
};

/** A lifecycle with violations for the JSON output. */
export const brokenOf = ({ job, struck, breaches, transcript }: Played) => ({
  ...job,
  ...{ struck, breaches, command: commandOf(job), transcript },
});
