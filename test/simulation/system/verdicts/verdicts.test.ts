import { expect, it } from 'vitest';
import type { Fault } from '../faults/kinds.ts';
import type { Job, Played } from '../runs/jobs.ts';
import { brokenOf, figuresOf, told } from '../runs/report.ts';
import { shrink } from '../runs/shrink.ts';
import { type StoryName, surgeOf } from '../stories/story-names.ts';
import { compared } from './compare.ts';

const FAULTS: readonly Fault[] = [
  { effect: 3, kind: 'sweep' },
  { effect: 5, kind: 'dies after' },
  { effect: 8, kind: 'events late' },
];

const JOB: Job = { seed: 7, story: 'create', sizes: { controlPlane: 1, workers: 1 }, faults: FAULTS };

const life = (more: Partial<Played> = {}): Played => ({
  job: JOB,
  hash: '',
  breaches: [],
  effects: [],
  struck: ['dies after at launch'],
  idle: [],
  settled: ['instances 2'],
  costs: [{ calls: 40, seconds: 30 }],
  begins: [0, 20],
  moments: [],
  isCut: false,
  calls: 100,
  simulatedSeconds: 60,
  processorSeconds: 1,
  ...more,
});

it('reports a lifecycle that ends in another state, or makes more calls than its length explains', () => {
  const plain = life({ struck: [] });
  expect(compared(plain, life()).breaches).toEqual([]);
  expect(compared(plain, life({ settled: ['instances 3'] })).breaches).toEqual([
    'after step 1 there is instances 3, without the fault instances 2',
  ]);
  expect(compared(plain, life({ calls: 321, simulatedSeconds: 120 })).breaches).toEqual([
    '321 calls to AWS, more than 320',
  ]);
  expect(compared(plain, life({ isCut: true, calls: 81, simulatedSeconds: 30 })).breaches).toEqual([
    '81 calls to AWS, more than 80',
  ]);
  const rejoined = { hash: '', step: 'create', calls: 10, seconds: 5 };
  expect(compared(plain, life({ isCut: true, costs: [], calls: 50, simulatedSeconds: 5, rejoined })).breaches).toEqual(
    [],
  );
  expect(compared(plain, life({ isCut: true, costs: [], calls: 51, simulatedSeconds: 5, rejoined })).breaches).toEqual([
    '81 calls to AWS, more than 80',
  ]);
  for (const what of ['cluster', 'everything'])
    expect(compared(plain, life({ settled: [], struck: [`${what} deleted at launch`] })).breaches).toEqual([]);
});

it('compares the connections of the account and the objects of users, but not the contents of objects', () => {
  const settled = (...lines: string[]) => [lines.join('\n')];
  const plain = life({ struck: [], settled: settled('instances 2', 'rules 4', 'Cluster a', 'Machine {"a":1}') });
  const other = (...lines: string[]) => compared(plain, life({ settled: settled(...lines) })).breaches;
  expect(other('instances 2', 'rules 4', 'Cluster a', 'Machine {"a":2}')).toEqual([]);
  expect(other('instances 2', 'rules 3', 'Cluster a', 'Machine {"a":1}')).toEqual([
    'after step 1 there is rules 3, without the fault rules 4',
  ]);
  expect(other('instances 2', 'rules 4', '', 'Machine {"a":1}')).toHaveLength(1);
});

it('allows an additional machine only in stories that replace machines', () => {
  expect(['create', 'scale', 'heal'].map((story) => surgeOf(story as StoryName))).toEqual([0, 0, 0]);
  expect(['roll', 'upgrade', 'topology'].map((story) => surgeOf(story as StoryName))).toEqual([1, 1, 1]);
});

it('removes the faults that a violation does not need', async () => {
  const broken = life({ breaches: ['two instances'] });
  const play = async (job: Job): Promise<Played> =>
    life({ job, breaches: job.faults?.some(({ kind }) => kind === 'dies after') ? ['two instances'] : [] });
  const least = await shrink(broken, play);
  expect(least.job.faults).toEqual([FAULTS[1]]);
  expect(brokenOf(least).command).toBe(
    'npm run simulate -- --system --transcript --first 7 --story create --machines 1+1 --fault "5:dies after"',
  );
});

it('counts lifecycles, faults by kind, and violations, and separately the faults that had nothing to do', () => {
  const refused = 'AWS refuses, SlowDown, at a';
  const idle = ['worker deleted at a', 'worker deleted at b'];
  const figures = figuresOf([
    life(),
    life({ breaches: ['one', 'two'], struck: ['sweep at a', 'sweep at b'] }),
    life({ struck: [refused], idle }),
  ]);
  expect(figures).toMatchObject({
    ...{ lives: 3, faults: 4, violations: 2 },
    faultsByKind: { 'dies after': 1, sweep: 2, 'AWS refuses, SlowDown': 1 },
    ...{ withNothingToDo: 2, withNothingToDoByKind: { 'worker deleted': 2 } },
  });
  expect(told(life({ struck: [], idle }))).toContain('worker deleted at a (nothing to do)');
});
