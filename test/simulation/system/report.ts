/** What came of lives, for people and for programs. */
import type { Fault } from './fault-kinds.ts';
import type { Job, Played } from './jobs.ts';

const option = ({ effect, kind }: Fault): string => `--fault "${effect}:${kind}"`;

/** The command that plays a life again. */
const commandOf = ({ seed, story, sizes, faults = [] }: Job): string =>
  [
    'npm run simulate -- --system --transcript',
    `--first ${seed} --story ${story} --machines ${sizes.controlPlane}+${sizes.workers}`,
    ...faults.map(option),
  ].join(' ');

/** What went wrong in a life, with the command that shows it, and the transcript where there is one. */
export const told = ({ job, struck, breaches, transcript = [] }: Played): string =>
  [
    ...transcript,
    `seed ${job.seed}, ${job.story}, ${struck.length === 0 ? 'no fault' : struck.join('; ')}:`,
    ...breaches.map((breach) => `  ${breach}`),
    ...(breaches.length > 0 ? [`  ${commandOf(job)}`] : []),
  ].join('\n');

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const kindOf = (struck: string): string => struck.split(' at ')[0] ?? '';

/** What was played of the single faults of a story. */
export const toldSingles = ({ effects }: Played, singles: readonly Fault[], played: readonly Played[]): string => {
  const places = new Set(singles.map(({ effect }) => effect)).size;
  const broken = played.filter(({ breaches }) => breaches.length > 0).length;
  return `${effects.length} effects, ${singles.length} single faults at ${places} of them, ${played.length} played, ${broken} broken`;
};

/** Figures of all lives together. */
export const figuresOf = (played: readonly Played[]) => {
  const kinds = played.flatMap(({ struck }) => struck.map(kindOf));
  return {
    lives: played.length,
    faults: kinds.length,
    faultsByKind: Object.fromEntries(
      [...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]),
    ),
    simulatedHours: Math.round(sum(played.map(({ simulatedSeconds }) => simulatedSeconds)) / 36) / 100,
    processorSeconds: Math.round(sum(played.map(({ processorSeconds }) => processorSeconds))),
    violations: sum(played.map(({ breaches }) => breaches.length)),
  };
};

/** A life that went wrong, as JSON shows it. */
export const brokenOf = ({ job, struck, breaches, transcript }: Played) => ({
  ...job,
  ...{ struck, breaches, command: commandOf(job), transcript },
});
