import { expect, it } from 'vitest';
import { readCdkArguments, stackNameOf } from './cdk-arguments.ts';

it.each([
  [[], undefined, 'Windlass'],
  [['-c', 'name=blue'], undefined, 'Windlass-blue'],
  [['-c=name=blue'], undefined, 'Windlass-blue'],
  [['--c', 'name=blue'], undefined, 'Windlass-blue'],
  [['-fc', 'name=blue'], undefined, 'Windlass-blue'],
  [['-c', 'name=green', '--context', 'name=blue'], undefined, 'Windlass-blue'],
  [['--context=name=blue', '--all'], 'red', 'Windlass-blue'],
  [['--context', 'tags=name=x'], 'red', 'Windlass-red'],
  [['Windlass-blue', '--role-arn', 'arn:aws:iam::1:role/x', '-c', 'name=blue'], undefined, 'Windlass-blue'],
])('finds the stack for the arguments %j', (args, inFile, name) => {
  expect(stackNameOf(args, inFile)).toBe(name);
});

it('refuses a stack that the settings do not name, and options without a value', () => {
  expect(() => stackNameOf(['Windlass-prod'])).toThrow('pass -c name=prod');
  expect(() => stackNameOf(['-c'])).toThrow('-c has no value');
  expect(() => stackNameOf(['-cf=name=prod', '--profile'])).toThrow('--profile has no value');
});

it('reads the profile, the region and the help option', () => {
  expect(readCdkArguments(['--profile', 'prod', '--region=eu-west-1', '--force'])).toMatchObject({
    profile: 'prod',
    region: 'eu-west-1',
    help: false,
  });
  expect(readCdkArguments(['-h']).help).toBe(true);
});
