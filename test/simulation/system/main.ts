/**
 * Plays lives of clusters through the whole system on virtual time, without faults or with one each:
 * `npm run simulate -- --system --seeds 10`, `npm run simulate -- --system --faults create`.
 */
import { parseArgs } from 'node:util';
import { FAULT_KINDS, type FaultKind } from './faults.ts';
import { faultsOf, type Job, type Played, partOf } from './jobs.ts';
import { playAll } from './play.ts';
import { isStory, STORIES, type StoryName } from './story-names.ts';

const { values } = parseArgs({
  options: {
    outdir: { type: 'string', default: 'cdk.out' },
    seeds: { type: 'string', default: '1' },
    first: { type: 'string', default: '1' },
    story: { type: 'string', default: 'create' },
    machines: { type: 'string', default: '1+1' },
    faults: { type: 'boolean', default: false },
    every: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    fault: { type: 'string' },
    json: { type: 'boolean', default: false },
    transcript: { type: 'boolean', default: false },
  },
});

const refuse = (option: string, wanted: string, text: string): never => {
  throw new Error(`--${option} must be ${wanted}, not "${text}"`);
};
const whole = (option: 'seeds' | 'first'): number =>
  /^[1-9]\d*$/.test(values[option])
    ? Number(values[option])
    : refuse(option, 'a whole number from 1 on', values[option]);
const pair = (option: 'machines' | 'part', between: '+' | '/', wanted: string): [number, number] => {
  const [left = '', right = '', ...rest] = values[option].split(between);
  const isPair = rest.length === 0 && [left, right].every((text) => /^\d+$/.test(text));
  return isPair ? [Number(left), Number(right)] : refuse(option, wanted, values[option]);
};
/** `17:dies after`. */
const givenFault = (text: string): Job['fault'] => {
  const [, effect = '', kind] = /^(.+):([a-z ]+)$/.exec(text) ?? [];
  if (!FAULT_KINDS.includes(kind as FaultKind))
    refuse('fault', `<number of the effect, or the end of its name>:<${FAULT_KINDS.join(' | ')}>`, text);
  return { effect: /^\d+$/.test(effect) ? Number(effect) : effect, kind: kind as FaultKind };
};

const [seeds, first] = [whole('seeds'), whole('first')];
const [controlPlane, workers] = pair('machines', '+', '<control plane machines>+<workers>, as 1+1');
const [part, parts] = pair('part', '/', '<part>/<parts>, as 1/20');
const story: StoryName = isStory(values.story) ? values.story : refuse('story', STORIES.join(' or '), values.story);
const { outdir, json, transcript: withTranscript } = values;

const told = ({ job, struck, breaches, transcript = [] }: Played): string => {
  const { seed, fault } = job;
  const what = fault ? `${fault.kind} at effect ${fault.effect}, ${struck ?? 'which did not come'}` : 'no fault';
  return [...transcript, `seed ${seed}, ${job.story}, ${what}:`, ...breaches.map((breach) => `  ${breach}`)].join('\n');
};

const plain = Array.from({ length: seeds }, (_, index): Job => {
  const fault = values.fault === undefined ? undefined : givenFault(values.fault);
  return { seed: first + index, story, sizes: { controlPlane, workers }, ...(fault ? { fault } : {}) };
});
const onPlayed = (played: Played): void => {
  if (!json && (withTranscript || played.breaches.length > 0)) process.stdout.write(`${told(played)}\n\n`);
};
const played = await playAll(plain, { outdir, withTranscript, onPlayed });
if (values.faults) {
  const struck = played.flatMap(({ job, effects }) =>
    faultsOf(effects, { isExhaustive: values.every }).map((fault) => ({ ...job, fault })),
  );
  played.push(...(await playAll(partOf(struck, part - 1, parts), { outdir, withTranscript, onPlayed })));
}

const sum = (member: 'simulatedSeconds' | 'processorSeconds'): number =>
  Math.round(played.reduce((total, one) => total + one[member], 0));
const broken = played.filter(({ breaches }) => breaches.length > 0);
const figures = {
  lives: played.length,
  faults: played.filter(({ struck }) => struck !== undefined).length,
  simulatedHours: Math.round(sum('simulatedSeconds') / 36) / 100,
  processorSeconds: sum('processorSeconds'),
};
if (json)
  process.stdout.write(
    `${JSON.stringify({ seeds, first, story, ...figures, broken: broken.map(({ job, breaches, struck, transcript }) => ({ ...job, struck, breaches, transcript })) })}\n`,
  );
else
  process.stdout.write(
    `${figures.lives} lives, ${figures.faults} faults, ${figures.simulatedHours} simulated hours in ${figures.processorSeconds} seconds of the processor: ${broken.length} broken\n`,
  );
process.exitCode = broken.length > 0 ? 1 : 0;
