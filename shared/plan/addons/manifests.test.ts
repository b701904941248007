import { describe, expect, it } from 'vitest';
import { ManifestError, parseManifests, readManifests } from './manifests.ts';

const read = (...texts: string[]) => readManifests(new Map(texts.map((text, index) => [`${index}.yaml`, text])));
const titles = (...texts: string[]) => read(...texts).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const yaml = (kind: string, name: string) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}}\n`;

describe('manifests', () => {
  it('may be YAML or JSON documents, lists of documents, and Lists', () => {
    const json = JSON.stringify([{ apiVersion: 'v1', kind: 'A', metadata: { name: 'in-json' } }]);
    const list = `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: B, metadata: {name: in-list}}\n`;
    expect(titles(`---\n---\n# nothing\n---\n${yaml('Z', 'one')}---\n${yaml('X', 'two')}`, json, list)).toEqual([
      'Z one',
      'X two',
      'A in-json',
      'B in-list',
    ]);
  });

  it('are ordered by dependency, within each value', () => {
    const text = ['DaemonSet', 'ServiceAccount', 'Widget', 'ConfigMap', 'CustomResourceDefinition', 'Namespace']
      .map((kind) => yaml(kind, 'x'))
      .join('---\n');
    expect(titles(text, yaml('Namespace', 'late'))).toEqual([
      'Namespace x',
      'CustomResourceDefinition x',
      'ConfigMap x',
      'ServiceAccount x',
      'DaemonSet x',
      'Widget x',
      'Namespace late',
    ]);
  });

  it('may contain a duplicate key, of which the last value counts and the line is reported', () => {
    const text = `${yaml('A', 'x')}spec: {kept: 1}\nspec:\n  labels: {a: "1", a: s3cret}\n`;
    const { objects, warnings } = parseManifests(new Map([['a.yaml', text]]));
    expect(objects[0]).toMatchObject({ spec: { labels: { a: 's3cret' } } });
    expect(objects[0]?.spec).not.toHaveProperty('kept');
    expect(warnings).toEqual(['a.yaml has a duplicate key, whose last value is used: line 5, 6']);
  });

  it('are read as Kubernetes reads YAML', () => {
    const [object] = read(
      `${yaml('A', 'x')}mode: 0644\nnew: 0o644\non: off\nday: 2026-01-02\nratio: 1:30\nquoted: "on"\n`,
    );
    expect(object).toMatchObject({ mode: 420, new: 420, true: false, day: '2026-01-02', ratio: '1:30', quoted: 'on' });
  });

  it.each([
    ['a: [s3cret\n', '0.yaml is not YAML: BAD_INDENT in line 2'],
    [`${yaml('A', 'x')}---\njust s3cret text`, 'object 2 in 0.yaml is not an object'],
    ['kind: s3cret', 'object 1 in 0.yaml has no apiVersion'],
    ['apiVersion: v1', 'object 1 in 0.yaml has no kind'],
    ['{apiVersion: v1, kind: A, metadata: {generateName: s3cret}}', 'object 1 in 0.yaml has no metadata.name'],
    [`a: ${'['.repeat(2_000)}`, '0.yaml is nested too deeply'],
    ['a: *s3cret', 'not YAML'],
  ])('are reported by position if they are invalid, without quoting them: %#', (text, message) => {
    expect(() => read(text)).toThrow(ManifestError);
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).not.toThrow(/s3cret/);
  });
});
