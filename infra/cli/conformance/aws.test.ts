import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { provideAws } from './aws.ts';
import type { RunTool, Tool } from './run-tool.ts';

const DIRECTORY = join('cache', 'awscli');
const absent: Tool = { status: null, stdout: '', stderr: '' };
const success: Tool = { status: 0, stdout: '', stderr: '' };

/** A computer that has these programs; pip installs an AWS CLI. */
const computer = (programs: readonly string[], pip: Tool = success) => {
  const there = new Set(programs);
  const calls: string[] = [];
  const run: RunTool = (command, args) => {
    calls.push(`${command} ${args.join(' ')}`);
    if (args.includes('venv')) there.add(join(DIRECTORY, 'bin', 'pip'));
    if (!there.has(command)) return absent;
    if (args[0] !== 'install') return success;
    if (pip.status === 0) there.add(join(DIRECTORY, 'bin', 'aws'));
    return pip;
  };
  return { calls, provide: () => provideAws(() => {}, DIRECTORY, run) };
};

describe('the AWS CLI of the conformance suites', () => {
  it('is the one in the PATH if there is one', () => {
    expect(computer(['aws', 'python3']).provide()).toBeUndefined();
  });

  it('is installed once if there is none', () => {
    const { calls, provide } = computer(['python3']);
    expect([provide(), provide()]).toEqual([join(DIRECTORY, 'bin'), join(DIRECTORY, 'bin')]);
    expect(calls.filter((call) => call.includes('pip install'))).toHaveLength(1);
  });

  it('is reported as required if it can neither be found nor installed', () => {
    expect(computer([]).provide).toThrow(/need the AWS CLI on the PATH, or Python 3/);
    const refused = { status: 1, stdout: '', stderr: 'no network' };
    expect(computer(['python3'], refused).provide).toThrow(/could not be installed: .*no network/s);
  });
});
