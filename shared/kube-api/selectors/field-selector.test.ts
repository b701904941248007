import { describe, expect, it } from 'vitest';
import { GIZMOS, gizmo } from '../test-kinds.ts';
import { parseFieldSelector } from './field-selector.ts';

const PLAIN = { ...GIZMOS, builtIn: true, selectableFields: undefined };

describe('a field selector', () => {
  it.each([
    ['', true],
    ['metadata.name=one', true],
    ['metadata.name==one,spec.mode=Fast', true],
    ['metadata.name!=one', false],
    ['spec.mode=', false],
    ['=', true],
    ['metadata.name=two', false],
    [',,metadata.name=one,', true],
    [String.raw`metadata.name=a\,b`, false],
    ['metadata.name=one ', false],
    ['colour=red', true],
  ])('%j', (selector, outcome) => {
    const kind = { ...GIZMOS, selectableValues: { colour: () => 'red' } };
    expect(parseFieldSelector(kind, selector).match(gizmo('one', { mode: 'Fast' }))).toBe(outcome);
  });

  it.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['metadata.name=a,b', "invalid selector: 'metadata.name=a,b'; can't understand 'b'"],
    ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
    [String.raw`metadata.name=a\b`, String.raw`invalid field selector: invalid escape sequence: \b`],
    ['metadata.name=a\\', 'invalid field selector: invalid escape sequence: \\'],
    ['spec.size=1', 'field label not supported: spec.size'],
    [' metadata.name=a', 'field label not supported:  metadata.name'],
  ])('%j is refused with the part that is invalid', (selector, message) => {
    expect(() => parseFieldSelector(GIZMOS, selector)).toThrow(expect.objectContaining({ code: 400, message }));
  });

  it('of a built-in kind is refused with the message for the common fields', () => {
    const message = '"x" is not a known field selector: only "metadata.name", "metadata.namespace"';
    expect(() => parseFieldSelector(PLAIN, 'x=1')).toThrow(message);
  });

  it('cannot select a namespace for cluster-scoped kinds', () => {
    const refused = () => parseFieldSelector({ ...GIZMOS, namespaced: false }, 'metadata.namespace=a');
    expect(refused).toThrow('field label not supported: metadata.namespace');
  });
});
