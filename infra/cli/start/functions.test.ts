import { expect, it } from 'vitest';
import { readFunctions, withFunctions } from './functions.ts';

const HERE = new URL(import.meta.url).pathname;
const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:hooks';

it("lists the user's functions in addition to those in the settings", () => {
  const functions = readFunctions([`hooks=${HERE}`]);
  expect(functions).toEqual([{ name: 'hooks', file: HERE }]);
  expect(withFunctions({ sweepMinutes: '5' }, functions)).toEqual({ sweepMinutes: '5', extensionFunctions: ARN });
  expect(withFunctions({ extensionFunctions: 'other' }, functions)).toEqual({ extensionFunctions: `other,${ARN}` });
  expect(withFunctions({}, [])).toEqual({});
});

it('shows how to specify a function', () => {
  expect(() => readFunctions(['hooks'])).toThrow('--function hooks: must be name=file, for example hooks=./hooks.mjs');
});
