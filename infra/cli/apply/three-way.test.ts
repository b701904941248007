import { describe, expect, it } from 'vitest';
import { threeWayPatch } from './three-way.ts';

describe('the patch of an apply', () => {
  it.each([
    { reason: 'nothing to do', before: { a: 1 }, wanted: { a: 1 }, current: { a: 1, b: 2 }, patch: {} },
    { reason: 'a changed value', before: { a: 1 }, wanted: { a: 2 }, current: { a: 1 }, patch: { a: 2 } },
    { reason: 'a new value', before: {}, wanted: { a: { b: 1 } }, current: {}, patch: { a: { b: 1 } } },
    {
      reason: 'a removed value',
      before: { a: 1, b: 1 },
      wanted: { a: 1 },
      current: { a: 1, b: 5 },
      patch: { b: null },
    },
    { reason: 'a removed value that no longer exists', before: { b: 1 }, wanted: {}, current: {}, patch: {} },
    {
      reason: 'values that others have set',
      before: {},
      wanted: { a: 1 },
      current: { a: 1, status: { x: 1 } },
      patch: {},
    },
    {
      reason: 'a list, which is one value',
      before: {},
      wanted: { a: [1, 2] },
      current: { a: [1] },
      patch: { a: [1, 2] },
    },
    { reason: 'an equal list', before: {}, wanted: { a: [{ b: 1 }] }, current: { a: [{ b: 1 }] }, patch: {} },
    {
      reason: 'the order of members',
      before: {},
      wanted: { a: [{ b: 1, c: 2 }] },
      current: { a: [{ c: 2, b: 1 }] },
      patch: {},
    },
    {
      reason: 'a nested change',
      before: { s: { a: 1, b: { c: 1, d: 1 } } },
      wanted: { s: { a: 1, b: { c: 2 } } },
      current: { s: { a: 1, b: { c: 1, d: 1, e: 9 } } },
      patch: { s: { b: { c: 2, d: null } } },
    },
    {
      reason: 'an object in place of a value',
      before: {},
      wanted: { a: { b: 1 } },
      current: { a: 1 },
      patch: { a: { b: 1 } },
    },
    {
      reason: 'a null without a current value',
      before: {},
      wanted: { a: null, b: { c: null } },
      current: {},
      patch: {},
    },
    { reason: 'a null', before: { a: 1 }, wanted: { a: null }, current: { a: 1 }, patch: { a: null } },
    { reason: 'a null without a last apply', before: {}, wanted: { a: null }, current: { a: 1 }, patch: { a: null } },
    {
      reason: 'a null that was already applied',
      before: { a: null },
      wanted: { a: null },
      current: { a: 1 },
      patch: {},
    },
    {
      reason: 'nulls in new objects and lists',
      before: {},
      wanted: { a: { b: 1, c: null }, d: {}, e: [{ f: null }] },
      current: {},
      patch: { a: { b: 1 }, d: {}, e: [{ f: null }] },
    },
  ])('is correct for $reason', ({ before, wanted, current, patch }) => {
    expect(threeWayPatch(before, wanted, current)).toEqual(patch);
  });
});
