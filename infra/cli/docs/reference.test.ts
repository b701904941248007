import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenApiSchema, ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { REFERENCE, referencePages } from './reference.ts';
import { fieldRows } from './reference-fields.ts';
import { indexPage, kindPage } from './reference-page.ts';

describe('docs/reference', () => {
  it('has the current pages of all kinds (npm run docs writes them)', async () => {
    const pages = await referencePages();
    const stale = [...pages].filter(([file, page]) => {
      const path = join(REFERENCE, file);
      return !existsSync(path) || readFileSync(path, 'utf8') !== page;
    });
    expect(stale.map(([file]) => file)).toEqual([]);
    expect(readdirSync(REFERENCE).filter((file) => !pages.has(file))).toEqual([]);
  });

  it('links only to existing files', async () => {
    const links = [...(await referencePages()).values()].flatMap((page) => [...page.matchAll(/\]\(([^)]+)\)/g)]);
    expect(links.length).toBeGreaterThan(40);
    for (const [, file = ''] of links) expect(existsSync(join(REFERENCE, file)), file).toBe(true);
  });
});

const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', default: 2 },
        mode: { type: 'string', enum: ['Fast', 'Slow'] },
        most: { 'x-kubernetes-int-or-string': true },
        parts: {
          type: 'array',
          items: { type: 'object', properties: { since: { type: 'string', format: 'date-time' } } },
        },
        groups: { type: 'object', additionalProperties: { type: 'object', properties: { owner: { type: 'string' } } } },
        rest: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

const toy: ResourceDefinition = {
  ...{ group: 'toys.windlass.dev', version: 'v2', kind: 'Toy', plural: 'toys', singular: 'toy' },
  ...{ shortNames: ['ty'], categories: [], namespaced: true, statusSubresource: false, builtIn: false },
  columns: [],
  schema,
  versions: [
    {
      name: 'v1',
      schema: () => ({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { size: { type: 'string' }, mode: schema.properties?.spec?.properties?.mode ?? {} },
          },
        },
      }),
      columns: [],
      toStorage: () => ({}),
      fromStorage: () => ({}),
    },
  ],
};

const texts = () => ({
  text: 'A toy.',
  fields: { spec: ['What it is.', { size: 'How large, in mm | inches.', mode: 'Its mode.' }] as const },
});

describe('a page', () => {
  it('shows the type and the default of each field, and whether it is required', () => {
    expect(fieldRows(schema).map(({ path, type, default: value, required }) => [path, type, value, required])).toEqual([
      ['spec', 'object', '', false],
      ['spec.size', 'integer', '2', true],
      ['spec.mode', 'Fast, Slow', '', false],
      ['spec.most', 'integer or string', '', false],
      ['spec.parts', 'list of object', '', false],
      ['spec.parts[].since', 'time', '', false],
      ['spec.groups', 'map of object', '', false],
      ['spec.groups{}.owner', 'string', '', false],
      ['spec.rest', 'any', '', false],
    ]);
  });

  it('shows the kind, its examples, and the differences of other versions', () => {
    const examples = new Map([
      ['long.yaml', 'apiVersion: toys.windlass.dev/v1\nkind: Toy\n# a longer one\n'],
      ['short.yaml', 'apiVersion: toys.windlass.dev/v2\nkind: Toy\n'],
      ['other.yaml', 'apiVersion: toys.windlass.dev/v2\nkind: Toys\n'],
      ['another.yaml', 'apiVersion: windlass.dev/v2\nkind: Toy\n'],
    ]);
    const page = kindPage(toy, texts, examples);
    expect(page).toContain('# Toy\n\nA toy.\n\nNamespaced, served as `toys.windlass.dev/v2`, `toys.windlass.dev/v1`.');
    expect(page).toContain('[short.yaml](../../examples/short.yaml), [long.yaml](../../examples/long.yaml).');
    expect(page).not.toContain('other.yaml');
    expect(page).toContain('| `spec.size` | integer | `2` | yes | How large, in mm \\| inches. |');
    const [, older = ''] = page.split('## toys.windlass.dev/v1');
    expect(older).toContain('| `spec.size` | string |  |  |');
    expect(older).not.toContain('| `spec.mode`');
    expect(older).toContain('Without `spec.most`, `spec.parts`, `spec.groups`, `spec.rest`.');
  });

  it('is linked from the list of kinds', () => {
    expect(indexPage([toy], texts)).toContain('| [Toy](toy.md) | `toys.windlass.dev/v2` | A toy. |');
  });
});
