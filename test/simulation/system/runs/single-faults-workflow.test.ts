import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { OF_THREE } from '../faults/kinds.ts';
import { STORIES } from '../stories/story-names.ts';

interface Workflow {
  jobs: Record<
    'single-faults' | 'control-plane-faults' | 'random-changes',
    { strategy: { matrix: { story: string[]; part: number[] } }; steps: { run?: string }[] }
  >;
}

const workflow: Workflow = parse(readFileSync('.github/workflows/single-faults.yml', 'utf8'));

it('runs all parts of the single faults of every story', () => {
  const { strategy, steps } = workflow.jobs['single-faults'];
  const { story, part } = strategy.matrix;

  expect(story).toEqual(STORIES);
  expect(part).toEqual(part.map((_, index) => index + 1));
  expect(steps.at(-1)?.run).toMatch(
    new RegExp(`--faults --story \\S+ matrix.story \\S+ --part \\S+ matrix.part }}/${part.length}$`),
  );
});

it('runs the fault that needs three control plane machines for every story', () => {
  const { strategy, steps } = workflow.jobs['control-plane-faults'];

  expect(strategy.matrix.story).toEqual(STORIES);
  expect(steps.at(-1)?.run).toMatch(/--faults --story \S+ matrix.story }} --machines 3\+1 --kinds/);
  expect(steps.at(-1)?.run).toContain(`"${OF_THREE}"`);
});

it('makes random changes in an account with a trail of CloudTrail', () => {
  expect(workflow.jobs['random-changes'].steps.at(-1)?.run).toContain('--context apiCallEvents=true');
});
