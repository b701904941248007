import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ManifestError, readManifests } from './manifest.ts';

const directory = mkdtempSync(join(tmpdir(), 'windlass-manifest-'));

const fileOf = (text: string): string => {
  const file = join(directory, 'file.yaml');
  writeFileSync(file, text);
  return file;
};

const namesIn = (text: string): string[] => readManifests(fileOf(text)).map(({ object }) => object.metadata.name);

const OBJECT = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n';

describe('a file of manifests', () => {
  it('may contain several documents, empty documents and comments', () => {
    expect(namesIn(`# first\n---\n${OBJECT}---\n---\n${OBJECT.replace('one', 'two')}`)).toEqual(['one', 'two']);
  });

  it('may be JSON, or contain a List', () => {
    const item = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'three' } };

    expect(namesIn(JSON.stringify(item))).toEqual(['three']);
    expect(namesIn(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [item, item] }))).toEqual([
      'three',
      'three',
    ]);
  });

  it.each([
    ['a: [1\nb: 2\n', /error parsing .*file\.yaml: .*yaml: line \d+: /],
    [`${OBJECT}---\nkind: {`, /yaml: line 5: /],
    ['just text', /a document is not an object/],
    ['apiVersion: v1\nmetadata: {name: a}\n', /Object 'Kind' is missing/],
    ['kind: ConfigMap\nmetadata: {name: a}\n', /Object 'apiVersion' is missing/],
    ['apiVersion: v1\nkind: ConfigMap\n', /resource name may not be empty/],
    ['# nothing\n', /no objects passed to apply/],
  ])('is refused with an error message for %j', (text, message) => {
    expect(() => readManifests(fileOf(text))).toThrow(ManifestError);
    expect(() => readManifests(fileOf(text))).toThrow(message);
  });

  it('is named in the error if it does not exist', () => {
    expect(() => readManifests('/no/such.yaml')).toThrow('error: the path "/no/such.yaml" does not exist');
  });
});
