import { readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/cli/paths.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { blocksOf } from '../deploy/document.ts';
import { type Reader, startReader } from '../deploy/reader.ts';
import { npmStart, type Started, stop, whenReady } from '../quickstart/windlass.ts';

const sections = Map.groupBy(
  blocksOf(readFileSync(join(ROOT, 'docs', 'tutorial.md'), 'utf8')),
  ({ heading }) => heading,
);

const commandsOf = (heading: string): string => {
  const blocks = sections.get(heading);
  if (blocks === undefined) throw new Error(`docs/tutorial.md has no commands under "${heading}"`);
  return blocks.map(({ commands }) => commands).join('\n');
};

// The tests run in the order of the document.
describe('docs/tutorial.md', { timeout: 2 * LIMIT }, () => {
  let reader: Reader;
  let started: Started;

  /** Executes all commands of a section, in a shell with the variables of the first section. */
  const type = async (heading: string): Promise<string> => {
    const [preparation] = sections.get('1. Start Windlass') ?? [];
    const { code, text } = await reader.type(`${preparation?.commands}\n${commandsOf(heading)}`);
    expect({ code, text: code === 0 ? '' : text.slice(-4000) }).toEqual({ code: 0, text: '' });
    return text;
  };

  beforeAll(async () => {
    reader = startReader({ environment: {}, programs: {} });
    started = npmStart([], join(dirname(reader.directory), 'windlass'));
    symlinkSync(started.home, join(reader.directory, '.windlass'));
    await whenReady(started);
  }, LIMIT);
  afterAll(async () => {
    await stop(started);
    reader.close();
  }, LIMIT);

  it('has exactly the sections with commands that are executed here', () => {
    expect([...sections.keys()].map((heading) => heading.slice(0, 2))).toEqual([
      '1.',
      '2.',
      '3.',
      '4.',
      '5.',
      '6.',
      '7.',
      '8.',
    ]);
  });

  it('starts Windlass', async () => {
    expect(await type('1. Start Windlass')).toMatch(/✔ Kubernetes API/);
  });

  it('plans a cluster', async () => {
    expect(await type('2. See what would happen')).toMatch(/cluster\.cluster\.x-k8s\.io\/quickstart would be created/);
  });

  it('creates the cluster', async () => {
    const text = await type('3. Create a cluster');
    expect(text.match(/─ Machine quickstart\S+ +/g)).toHaveLength(6);
    expect(text.match(/^i-\w+\s+t3\.large\s+running$/gm)).toHaveLength(6);
  });

  it('scales the workers', async () => {
    expect(await type('4. Scale')).toMatch(/quickstart +Provisioned +True +3\/3 +5\/5/);
  });

  it('upgrades the cluster', async () => {
    const text = await type('5. Upgrade');
    expect(text).toMatch(/^Warning: plan: /m);
    expect(text.match(/─ Machine quickstart\S+ +Running +v1\.35\.0/g)).toHaveLength(8);
  });

  it('terminates an instance, and shows that it is replaced', async () => {
    const text = await type('6. Break it, and watch it heal');
    expect(text).toContain('shutting-down');
    expect(text.match(/─ Machine quickstart-md-0\S+ +Running +v1\.35\.0/g)).toHaveLength(5);
  });

  it('runs a sweep', async () => {
    expect(await type('7. Look around')).toMatch(/^Compared 8 machines with AWS/m);
  });

  it('deletes the cluster, and leaves nothing', async () => {
    const text = await type('8. Delete');
    expect(text).toContain('There are no clusters.');
    expect(text).not.toMatch(/\bi-[0-9a-f]{17}\b/);
  });
});
