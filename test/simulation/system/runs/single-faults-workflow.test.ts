import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { STORIES } from '../stories/story-names.ts';

interface Workflow {
  jobs: Record<
    'single-faults' | 'random-changes',
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
