import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { makeProgram } from '../../infra/cli/program/program.ts';
import { loadAssembly } from '../../infra/local/template.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

const DOCS = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'infra/local/SUPPORT.md',
  ...pagesIn('docs'),
  ...pagesIn('docs/decisions'),
];

describe.each(DOCS)('%s', (doc) => {
  it('links only to files and headings that exist', () => {
    const links = [...read(doc).matchAll(/\]\((?!https?:)([^)#]*)(#[^)]*)?\)/g)];
    for (const [link, file = '', anchor = ''] of links) {
      const path = file === '' ? join(ROOT, doc) : join(ROOT, dirname(doc), file);
      expect(existsSync(path), link).toBe(true);
      if (anchor === '') continue;
      const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(
        ([, title = '']) =>
          `#${title
            .toLowerCase()
            .replace(/[^\w\s-]/g, '')
            .replace(/\s/g, '-')}`,
      );
      expect(headings, link).toContain(anchor);
    }
  });

  it('names only scripts and commands of the project that exist', () => {
    const text = read(doc);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = makeProgram().commands.map((command) => command.name());
    for (const [line, script = ''] of text.matchAll(/npm run (?:--silent )?(\w+)/g))
      expect(scripts, line).toHaveProperty(script);
    for (const [line, command] of text.matchAll(/npm run (?:--silent )?windlass -- ([a-z]\w*)/g))
      expect(commands, line).toContain(command);
  });
});

it('docs/README.md lists every page once', () => {
  const linked = [...read('docs/README.md').matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \|/gm)].map(([, page]) => page);
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(linked.toSorted()).toEqual(pages.toSorted());
});

it('docs/README.md lists every example', () => {
  const linked = [...read('docs/README.md').matchAll(/\]\(\.\.\/(examples\/[^)]+)\)/g)].map(([, path = '']) => path);
  const files = readdirSync(join(ROOT, 'examples'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  expect(files.filter((file) => !linked.some((path) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
});

interface Alarm {
  Metrics?: { MetricStat?: object }[];
}

/** CloudWatch bills each metric in the expression of an alarm. */
const billedMetrics = ({ Metrics }: Alarm): number =>
  Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;

/** The text of all source files that may contain log messages. */
const sources = (): string =>
  ['functions', 'shared', 'infra']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(read)
    .join('\n');

it('docs/runbooks.md quotes only sentences that are logged', () => {
  // Only letters, digits, commas and spaces, without any sign of code, a command or a path.
  const quoted = [...read('docs/runbooks.md').matchAll(/`([A-Za-z]+ [A-Za-z][A-Za-z0-9, ]*)`/g)].map(
    ([, text = '']) => text,
  );
  const sentences = quoted.filter(
    (text) =>
      text.split(' ').length > 2 &&
      !/^(aws|kubectl|windlass|clusterctl|etcdctl|kubeadm|crictl|filter|stats) /.test(text),
  );
  expect(sentences).toContain('a region could not be read');
  const all = sources();
  for (const sentence of sentences) expect(all.includes(sentence), sentence).toBe(true);
});

it('the stack has the outputs that the documents name, and those that the command kubeconfig reads', () => {
  const named = DOCS.flatMap((doc) => [...read(doc).matchAll(/\boutputs? `(\w+)`/g)].map(([, name]) => name));
  expect(named).toEqual(expect.arrayContaining(['AlarmTopicArn', 'DeadLettersUrl']));
  const { Outputs = {} } = loadAssembly(inject('outdir')).template;
  expect(Object.keys(Outputs)).toEqual(expect.arrayContaining(['ApiUrl', 'ClusterId', ...named]));
});

describe('docs/deploy.md', () => {
  const text = read('docs/deploy.md');

  it('lists exactly the context keys that are read', () => {
    const table = [...text.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|.*\|.*\|$/gm)].flatMap(([, keys = '']) =>
      [...keys.matchAll(/`(\w+)`/g)].map(([, key]) => key),
    );
    const files = readdirSync(join(ROOT, 'infra/constructs'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    const source = files.map((file) => read(`infra/constructs/${file}`)).join('');
    const keys = [...source.matchAll(/context\.(?:text|list|whole|flag|raw)\('(\w+)'|read\w+\(context, '(\w+)'/g)];
    expect([...new Set(table)].sort()).toEqual([...new Set(keys.map(([, key, other]) => key ?? other))].sort());
  });

  it('uses only context keys of its table and example files that exist', () => {
    for (const [line, key] of text.matchAll(/-c ([a-z]\w*)=/g)) expect(text, line).toContain(`\`${key}\``);
    for (const [line, file = ''] of text.matchAll(/-f (examples\/\S+)/g))
      expect(existsSync(join(ROOT, file)), line).toBe(true);
  });

  it('counts the alarms, and the metrics that each of them is charged for, as the README does', () => {
    const { Resources } = loadAssembly(inject('outdir')).template;
    const alarms = Object.values(Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    const metrics = alarms.reduce((sum, { Properties }) => sum + billedMetrics(Properties as Alarm), 0);
    const price = (metrics * 0.1).toFixed(2);
    expect(text).toContain(
      `${alarms.length} alarms over ${metrics} metrics, each 0.10 USD a month, which is ${price} USD`,
    );
    expect(read('README.md')).toContain(`alarms ${price} (${metrics} alarm metrics)`);
  });
});

it('docs/security.md names a test for each threat', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .filter((line) => /^\| (?!threat|---)/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) expect(row).toMatch(/\.test\.ts\) \|$|\.test\.ts\)\]?.*\|$/);
});

it('each decision has a unique number', () => {
  const numbers = readdirSync(join(ROOT, 'docs', 'decisions')).map((file) => file.slice(0, 4));
  expect(new Set(numbers).size).toBe(numbers.length);
});
