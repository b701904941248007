import { describe, expect, it } from 'vitest';
import type { OpenApiSchema } from '../resource.ts';
import { OBJECT_META } from './metadata.ts';
import { findUndecodable } from './undecodable.ts';

const schema: OpenApiSchema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    bytes: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
    immutable: { type: 'boolean' },
    count: { type: 'integer', format: 'int32' },
    big: { type: 'integer', format: 'int64' },
    source: { type: 'object', properties: { host: { type: 'string' } } },
    time: { type: 'string', format: 'date-time' },
    renewTime: { type: 'string', format: 'date-time' },
    port: { 'x-kubernetes-int-or-string': true },
  },
};
const inField = (field: string, type: string): string => `into Go struct field Kind.${field} of type ${type}`;

const IMPRECISE = 'parsing time: it is not in the form of RFC 3339 with six digits after the seconds';

describe('a value that Go could not decode', () => {
  it.each([
    [{ data: ['x'] }, `json: cannot unmarshal array ${inField('data', 'map[string]string')}`],
    [{ data: { a: 1 } }, `json: cannot unmarshal number ${inField('data', 'string')}`],
    [{ data: { a: {} } }, `json: cannot unmarshal object ${inField('data', 'string')}`],
    [{ bytes: { a: true } }, `json: cannot unmarshal bool ${inField('bytes', '[]uint8')}`],
    [{ immutable: 'yes' }, `json: cannot unmarshal string ${inField('immutable', 'bool')}`],
    [{ count: 1.5 }, `json: cannot unmarshal number 1.5 ${inField('count', 'int32')}`],
    [{ count: 3e9 }, `json: cannot unmarshal number 3000000000 ${inField('count', 'int32')}`],
    [{ source: 7 }, `json: cannot unmarshal number ${inField('source', 'v1.EventSource')}`],
    [
      { source: { host: 7 } },
      'json: cannot unmarshal number into Go struct field EventSource.source.host of type string',
    ],
    [{ bytes: { a: 'not base64' } }, 'illegal base64 data at input byte 3'],
    [{ bytes: { a: 'abcdef' } }, 'illegal base64 data at input byte 4'],
    [{ bytes: { a: 'ab=c' } }, 'illegal base64 data at input byte 2'],
    [{ time: 'yesterday' }, 'parsing time: it is not in the form of RFC 3339'],
    [{ time: '2024-02-30T00:00:00Z' }, 'parsing time: it is not in the form of RFC 3339'],
    [{ time: '2024-02-28t00:00:00z' }, 'parsing time: it is not in the form of RFC 3339'],
    [{ renewTime: '2024-02-28T00:00:00.123Z' }, IMPRECISE],
    [{ renewTime: '2024-02-28T00:00:00Z' }, IMPRECISE],
  ])('is reported: %j', (value, why) => {
    expect(findUndecodable(schema, value, { struct: 'Kind', path: '' })).toBe(why);
  });

  it('is not reported if the types match, nor for nulls', () => {
    const value = { data: { a: null }, bytes: { a: 'YQ==' }, count: 7, big: 3e9, port: '80', immutable: null };
    expect(findUndecodable(schema, value, { struct: 'Kind', path: '' })).toBeUndefined();
  });

  it.each([
    { time: '2024-02-29T23:59:59Z' },
    { time: '2024-02-29T00:00:00.1+02:00' },
    { renewTime: '2024-02-29T00:00:00.123456Z' },
    { renewTime: '2024-02-29T00:00:00.123456-01:00' },
  ])('is not reported: %j', (value) => {
    expect(findUndecodable(schema, value, { struct: 'Kind', path: '' })).toBeUndefined();
  });

  it('is reported with its path in metadata', () => {
    const owners = { ownerReferences: [{ controller: 'x' }] };
    expect(findUndecodable(OBJECT_META, owners, { struct: 'ObjectMeta', path: 'metadata' })).toBe(
      'json: cannot unmarshal string into Go struct field OwnerReference.metadata.ownerReferences.controller of type bool',
    );
    expect(findUndecodable(OBJECT_META, { finalizers: 'x' }, { struct: 'ObjectMeta', path: '' })).toBe(
      'json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string',
    );
  });
});
