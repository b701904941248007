/**
 * Runs lifecycles of clusters through the whole system on virtual time, with or without faults: `npm run simulate --
 * --system --seeds 10 --storm 4`, `npm run simulate -- --system --faults --story all`.
 */
import { parseArgs } from 'node:util';
import { changesOf } from './disturbances/step.ts';
import { DEPLOYMENT, FAULT_KINDS, type Fault, type FaultKind, isFaultKind, OF_THREE } from './faults/kinds.ts';
import { type Job, type Played, partOf, stormOf } from './runs/jobs.ts';
import { type PlayOptions, playAll, playDisturbed, playSingles } from './runs/play.ts';
import { brokenOf, figuresOf, told, toldSingles } from './runs/report.ts';
import { shrink } from './runs/shrink.ts';
import { singlesOf } from './runs/singles.ts';
import { isStory, STORIES, type StoryName } from './stories/story-names.ts';
import { compared } from './verdicts/compare.ts';

const readArguments = () =>
  parseArgs({
    options: {
      outdir: { type: 'string', default: 'cdk.out' },
      former: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      first: { type: 'string', default: '1' },
      story: { type: 'string', default: 'create' },
      machines: { type: 'string', default: '1+1' },
      faults: { type: 'boolean', default: false },
      every: { type: 'boolean', default: false },
      kinds: { type: 'string' },
      part: { type: 'string', default: '1/1' },
      storm: { type: 'string' },
      disturb: { type: 'string' },
      changes: { type: 'string' },
      fault: { type: 'string', multiple: true, default: [] },
      sweep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      transcript: { type: 'boolean', default: false },
    },
  }).values;

/** Wrong arguments are not defects, so they print one line instead of a stack. */
const end = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
const valuesOrEnd = (): ReturnType<typeof readArguments> => {
  try {
    return readArguments();
  } catch (error) {
    return end((error as Error).message);
  }
};
const values = valuesOrEnd();

const refuse = (option: string, wanted: string, text: string): never =>
  end(`--${option} must be ${wanted}, not "${text}"`);
const whole = (option: 'seeds' | 'first' | 'storm' | 'disturb'): number => {
  const text = values[option] ?? '';
  return /^[1-9]\d*$/.test(text) ? Number(text) : refuse(option, 'a whole number from 1 on', text);
};
const pair = (option: 'machines' | 'part', between: '+' | '/', wanted: string): [number, number] => {
  const [left = '', right = '', ...rest] = values[option].split(between);
  const isPair = rest.length === 0 && [left, right].every((text) => /^\d+$/.test(text));
  return isPair ? [Number(left), Number(right)] : refuse(option, wanted, values[option]);
};
const kindOf = (option: string, text: string): FaultKind =>
  isFaultKind(text) ? text : refuse(option, `one of ${FAULT_KINDS.join(', ')}`, text);
/** Parses a fault, such as `17:dies after`. */
const faultOf = (text: string): Fault => {
  const [, effect = '', kind = ''] = /^(.+):([A-Za-z ]+)$/.exec(text) ?? [];
  if (effect === '') refuse('fault', '<number of the effect, or the end of its name>:<kind>', text);
  return { effect: /^\d+$/.test(effect) ? Number(effect) : effect, kind: kindOf('fault', kind) };
};

const [seeds, first] = [whole('seeds'), whole('first')];
const [controlPlane, workers] = pair('machines', '+', '<control plane machines>+<workers>, as 1+1');
const [part, parts] = pair('part', '/', '<part>/<parts>, as 1/20');
const storyNamed = (text: string): StoryName =>
  isStory(text) ? text : refuse('story', `one of ${STORIES.join(', ')}, or all`, text);
const stories = values.story === 'all' ? STORIES : values.story.split(',').map(storyNamed);
const { outdir, former, json, transcript: withTranscript } = values;
/** A control plane with three machines survives the loss of one. */
const ALL_KINDS: readonly FaultKind[] = controlPlane < 3 ? FAULT_KINDS : [...FAULT_KINDS, OF_THREE];
const kinds = values.kinds?.split(',').map((text) => kindOf('kinds', text)) ?? (former ? [DEPLOYMENT] : ALL_KINDS);
const given = values.fault.map(faultOf);
if (!former && [...kinds, ...given.map(({ kind }) => kind)].includes(DEPLOYMENT))
  end('the fault "deployment" needs --former, the cloud assembly of the version before');
const most = values.storm === undefined ? 0 : whole('storm');
if (values.sweep && (values.faults || most > 0 || given.length > 0)) end('--sweep is for lifecycles without faults');
const isDisturbed = values.disturb !== undefined;
if (isDisturbed && (values.faults || most > 0 || given.length > 0 || former || values.sweep))
  end('--disturb has faults of its own, and excludes --faults, --storm, --fault, --sweep and --former');
if (values.changes && !isDisturbed) end('--changes selects the changes of --disturb');
const only = values.changes?.split(',');
for (const name of only ?? [])
  for (const story of stories)
    if (!changesOf(story).has(name))
      refuse('changes', `some of ${[...changesOf(story).keys()].join(', ')} for the story ${story}`, name);

const onPlayed = (played: Played): void => {
  if (!json && (withTranscript || played.breaches.length > 0)) process.stdout.write(`${told(played)}\n\n`);
};

/** Runs a lifecycle for each seed: with a storm, with the given faults, or without faults. */
const playSeeds = (plain: Played, options: PlayOptions): Promise<Played[]> => {
  const faultsFor = (seed: number): readonly Fault[] =>
    most > 0 ? stormOf(seed, { effects: plain.effects.length, faults: most, kinds }) : given;
  const numbers = Array.from({ length: seeds }, (_, index) => first + index);
  return playAll(
    numbers.map((seed): Job => ({ ...plain.job, seed, faults: faultsFor(seed) })),
    options,
  );
};

/** Runs what was requested for one story, and repeats lifecycles with violations with a transcript. */
const playStory = async (story: StoryName): Promise<{ played: Played[]; broken: Played[] }> => {
  const job: Job = { seed: first, story, sizes: { controlPlane, workers }, isSwept: values.sweep };
  const [plain] = await playAll([job], { outdir, former, isRecorded: values.faults });
  if (plain === undefined) throw new Error('the life without faults was not played');
  const compare = (one: Played): Played => compared(plain, one);
  const options = { outdir, former, withTranscript, plain, compare, onPlayed };
  const singles = values.faults ? singlesOf(plain, { kinds, isExhaustive: values.every }) : [];
  const played = values.faults
    ? await playSingles(plain, partOf(singles, part - 1, parts), options)
    : await playSeeds(plain, options);
  if (values.faults && !json) process.stdout.write(`${story}: ${toldSingles(plain, singles, played)}\n`);
  const again = async (one: Job): Promise<Played> => {
    const [found] = await playAll([one], { outdir, former, withTranscript: true, plain, compare });
    if (found === undefined) throw new Error('a life was not played again');
    return found;
  };
  const broken: Played[] = [];
  for (const one of [plain, ...played].filter(({ breaches }) => breaches.length > 0)) {
    const least = most > 0 ? await shrink(one, again) : await again(one.job);
    broken.push(least);
    if (!json && most > 0) process.stdout.write(`with as few faults as possible:\n${told(least)}\n\n`);
  }
  return { played, broken };
};

const playChanges = async (story: StoryName, changes: number): ReturnType<typeof playStory> => {
  const job: Job = {
    seed: 1,
    story,
    sizes: { controlPlane, workers },
    disturbances: { most: changes, ...(only && { only }) },
  };
  const numbers = Array.from({ length: seeds }, (_, index) => first + index);
  const played = await playDisturbed(job, numbers, { outdir, withTranscript: true, onPlayed });
  return { played, broken: played.filter(({ breaches }) => breaches.length > 0) };
};

const all: Awaited<ReturnType<typeof playStory>>[] = [];
for (const story of stories) all.push(await (isDisturbed ? playChanges(story, whole('disturb')) : playStory(story)));
const broken = all.flatMap((one) => one.broken);
const figures = figuresOf(all.flatMap(({ played }) => played));
const { lives, faults, withNothingToDo, simulatedHours, processorSeconds } = figures;
process.stdout.write(
  json
    ? `${JSON.stringify({ seeds, first, stories, ...figures, broken: broken.map(brokenOf) })}\n`
    : `${lives} lives, ${faults} faults, ${withNothingToDo} with nothing to do, ${simulatedHours} simulated hours in ${processorSeconds} seconds of the processor: ${broken.length} broken\n`,
);
process.exitCode = broken.length > 0 ? 1 : 0;
