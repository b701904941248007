import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object.ts';
import { parseLabelSelector } from './label-selector.ts';

const LABELS = {
  one: { app: 'web', tier: 'front', size: '5' },
  two: { app: 'data', in: 'use', size: '50' },
  three: {},
};

const objectOf = (name: string, labels: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
});

const selected = (selector: string): string[] => {
  const matches = parseLabelSelector(selector);
  return Object.entries(LABELS).flatMap(([name, labels]) => (matches(objectOf(name, labels)) ? [name] : []));
};

describe('a label selector', () => {
  it.each([
    ['', ['one', 'two', 'three']],
    ['app', ['one', 'two']],
    ['! app', ['three']],
    ['app = web', ['one']],
    ['app==web,tier=front', ['one']],
    ['app!=web', ['two', 'three']],
    ['app=', []],
    ['app in(web,data)', ['one', 'two']],
    ['app\tnotin\n(web)', ['two', 'three']],
    ['tier in (,front)', ['one']],
    ['app in ()', []],
    ['app notin ()', ['one', 'two', 'three']],
    ['in', ['two']],
    ['in in (use)', ['two']],
    ['size>5', ['two']],
    ['size<50', ['one']],
    ['app>1', []],
  ])('selects by %j', (selector, names) => {
    expect(selected(selector)).toEqual(names);
  });

  it.each([
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['=b', "found '=', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['a=(b)', "unable to parse requirement: found '(', expected: identifier"],
    [
      'a>9223372036854775808',
      "unable to parse requirement: values[0]: Invalid value: \"9223372036854775808\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ['/a', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
  ])('is refused for %j, with what was found and what was expected', (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ code: 400, message }));
  });

  it('may be very long', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `v${index}`);
    expect(selected(`app notin (${names.join(',')})`)).toEqual(['one', 'two', 'three']);
  });
});
