import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MOTO } from './emulators.ts';
import { providePythonProgram } from './python-program.ts';
import type { RunTool, Tool } from './run-tool.ts';

const success: Tool = { status: 0, stdout: '', stderr: '' };
const absent: Tool = { status: null, stdout: '', stderr: '' };

it('installs a program once, in the pinned version', () => {
  const calls: string[] = [];
  const run: RunTool = (command, args) => {
    calls.push(`${command} ${args.join(' ')}`);
    const isCheck = args[0] === '-c';
    return isCheck && !calls.some((call) => call.includes('pip install')) ? absent : success;
  };
  const provide = () => providePythonProgram(MOTO, () => {}, join('cache', 'moto'), run);
  expect([provide(), provide()]).toEqual(Array(2).fill(join('cache', 'moto', 'bin', 'moto_server')));
  expect(calls.filter((call) => /pip install .*moto\[.*\]==\d/.test(call))).toHaveLength(1);
  expect(() =>
    providePythonProgram(
      MOTO,
      () => {},
      'cache',
      () => absent,
    ),
  ).toThrow(/Python 3 is needed to install moto/);
});
