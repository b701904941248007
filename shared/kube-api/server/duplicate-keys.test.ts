import { describe, expect, it } from 'vitest';
import { findDuplicateKeys, inJsonWords } from './duplicate-keys.ts';

describe('duplicate keys of a body', () => {
  it.each([
    ['{"a":1,"b":{"a":1}}', []],
    ['{"a":1,"a":2,"a":3}', ['duplicate field "a"', 'duplicate field "a"']],
    ['{"spec":{"list":[{"x":1},{"x":1,"x":2}]}}', ['duplicate field "spec.list[1].x"']],
    ['[{"op":"add","op":"test"}]', ['duplicate field "[0].op"']],
    ['{"a":"\\"a\\":1, \\"a\\":2","b":1}', []],
  ])('of %s are %j', (text, found) => {
    expect(findDuplicateKeys(text).map(inJsonWords)).toEqual(found);
  });
});
