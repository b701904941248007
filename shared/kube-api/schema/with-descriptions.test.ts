import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import type { FieldTexts } from './field-texts.ts';
import { mergeTexts, withDescriptions } from './with-descriptions.ts';

const text: OpenApiSchema = { type: 'string' };

const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['name'],
      properties: {
        name: text,
        ports: { type: 'array', items: { type: 'object', properties: { number: { type: 'integer' } } } },
        groups: { type: 'object', additionalProperties: { type: 'object', properties: { owner: text } } },
        labels: { type: 'object', additionalProperties: text },
        open: { type: 'object', additionalProperties: true },
        silent: text,
      },
    },
  },
};

const fields: FieldTexts = {
  spec: [
    'The desired state.',
    {
      name: 'A name.',
      ports: ['The ports.', { number: 'A number.' }],
      groups: ['The groups.', { owner: 'An owner.' }],
      labels: 'The labels.',
      open: 'Anything.',
    },
  ],
};

describe('withDescriptions', () => {
  it('describes the kind, its fields, and the fields of items and of values', () => {
    const before = structuredClone(schema);
    const described = withDescriptions(schema, 'A thing.', fields);
    expect(described).toEqual({
      type: 'object',
      description: 'A thing.',
      properties: {
        spec: {
          type: 'object',
          required: ['name'],
          description: 'The desired state.',
          properties: {
            name: { type: 'string', description: 'A name.' },
            ports: {
              type: 'array',
              description: 'The ports.',
              items: { type: 'object', properties: { number: { type: 'integer', description: 'A number.' } } },
            },
            groups: {
              type: 'object',
              description: 'The groups.',
              additionalProperties: {
                type: 'object',
                properties: { owner: { type: 'string', description: 'An owner.' } },
              },
            },
            labels: { type: 'object', description: 'The labels.', additionalProperties: { type: 'string' } },
            open: { type: 'object', description: 'Anything.', additionalProperties: true },
            silent: { type: 'string' },
          },
        },
      },
    });
    expect(schema).toEqual(before);
  });

  it('takes no descriptions from inherited properties', () => {
    const odd: OpenApiSchema = { type: 'object', properties: { constructor: text, toString: text } };
    expect(withDescriptions(odd, 'Odd.', {})).toEqual({ ...odd, description: 'Odd.' });
  });
});

describe('mergeTexts', () => {
  it('takes the texts of the other version, by path, and keeps the rest', () => {
    expect(
      mergeTexts(fields, {
        spec: ['The old state.', { name: 'An old name.', ports: 'The old ports.', age: 'An age.' }],
      }),
    ).toEqual({
      spec: [
        'The old state.',
        {
          name: 'An old name.',
          ports: ['The old ports.', { number: 'A number.' }],
          groups: ['The groups.', { owner: 'An owner.' }],
          labels: 'The labels.',
          open: 'Anything.',
          age: 'An age.',
        },
      ],
    });
  });

  it('adds the inner texts of a field that the stored version does not have', () => {
    expect(mergeTexts({ a: 'A.' }, { a: ['B.', { c: 'C.' }] })).toEqual({ a: ['B.', { c: 'C.' }] });
  });
});
