import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningProgram } from '../../../infra/cli/conformance/processes.ts';
import { COMPLETIONS } from './completions.ts';
import { EMULATORS, type EmulatorName, programOf, startEmulator } from './emulator.ts';
import { PUBLISHED } from './images.ts';
import { emulatorsPage } from './page.ts';
import { type Ask, askerOf } from './raw.ts';
import type { Answers } from './wire/answer.ts';
import { ANSWERS } from './wire/answers.ts';
import { startOurs } from './wire/ours.ts';
import { answerTo } from './wire/question.ts';
import { QUESTIONS } from './wire/questions.ts';
import { REASONS } from './wire/reasons.ts';

const answersTo = (name: string): Answers => {
  const answers = ANSWERS[name] ?? 'no answer is on record';
  return typeof answers === 'string' ? { ours: answers, moto: answers, ministack: answers } : answers;
};

const NAMES = ['moto', 'ministack'] as const satisfies readonly EmulatorName[];

/** All questions, with titles that group them as the table at the end counts them. */
const titled = (subject: keyof Answers) =>
  QUESTIONS.map((question) => {
    const { service, operation } = question.ask;
    const answers = answersTo(question.name);
    const word = answers[subject] === answers.ours ? 'as ours' : 'otherwise';
    return { question, title: `${subject} ${service}:${operation} ${word}: ${question.name}` };
  });

describe('the simulated AWS', () => {
  let ask: Ask;
  let known: Record<string, string>;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const ours = await startOurs();
    ({ ask, close } = ours);
    known = { image: ours.image, root: '/dev/sda1' };
  });
  afterAll(() => close());

  for (const { question, title } of titled('ours'))
    it(title, async () => {
      const answer = await answerTo(question, ask, { ...known, unique: `q${QUESTIONS.indexOf(question)}` });
      expect(answer).toBe(answersTo(question.name).ours);
    });
});

describe.each(NAMES)('%s', (name) => {
  const program = programOf(name);
  const { image, root } = EMULATORS[name];
  let emulator: RunningProgram;
  beforeAll(async () => {
    if (program) emulator = await startEmulator(name, program);
  });
  afterAll(() => emulator?.stop());

  for (const { question, title } of titled(name))
    it.skipIf(!program)(title, async () => {
      const known = { image, root, unique: `q${QUESTIONS.indexOf(question)}` };
      const answer = await answerTo(question, askerOf(emulator), known);
      expect(answer).toBe(answersTo(question.name)[name]);
    });
});

describe('docs/emulators.md', () => {
  it('contains all answers (`npm run conformance -- aws/wire -u` updates it)', async () => {
    await expect(emulatorsPage()).toMatchFileSnapshot('../../../docs/emulators.md');
  });
});

describe('what emulators cannot do', () => {
  const gaps = NAMES.flatMap((name) => COMPLETIONS[name].map(({ gap, shownBy }) => ({ name, gap, shownBy })));
  it.each(gaps)('is visible in an answer of $name: $gap', ({ name, shownBy }) => {
    const answers = answersTo(shownBy);
    expect(answers[name]).not.toBe(answers.ours);
  });

  it.skipIf(!programOf('moto'))('includes publishing the images of the AWS provider, for moto', () => {
    const environment = dirname(dirname(programOf('moto') ?? ''));
    const [images = ''] = globSync('lib/python3*/site-packages/moto/ec2/resources/amis.json.gz', { cwd: environment });
    const owners = JSON.parse(gunzipSync(readFileSync(join(environment, images))).toString()) as { owner_id: string }[];
    expect(owners.map(({ owner_id }) => owner_id)).not.toContain(PUBLISHED.owner_id);
  });
});

describe('the recorded answers', () => {
  it('are exactly one for each question', () => {
    expect(Object.keys(ANSWERS).toSorted()).toEqual(QUESTIONS.map(({ name }) => name).toSorted());
  });

  it('have a reason exactly if both emulators differ from the simulated AWS', () => {
    const differing = QUESTIONS.map(({ name }) => ({ name, ...answersTo(name) }));
    const alone = differing.filter(({ ours, moto, ministack }) => moto !== ours && ministack !== ours);
    expect(Object.keys(REASONS).toSorted()).toEqual(alone.map(({ name }) => name).toSorted());
  });
});
