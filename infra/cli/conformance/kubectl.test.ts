import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { provideKubectl } from './kubectl.ts';
import type { RunTool, Tool } from './run-tool.ts';

const absent: Tool = { status: null, stdout: '', stderr: '' };
const success: Tool = { status: 0, stdout: '', stderr: '' };

const kubectl = (gitVersion: string) => ({ ...success, stdout: JSON.stringify({ clientVersion: { gitVersion } }) });

/** A computer that has these programs; `go build` creates a kubectl. */
const computer = (programs: Record<string, Tool>) => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-kubectl-'));
  const calls: string[] = [];
  const built = join(directory, 'kubectl');
  const run: RunTool = (command, args, { cwd } = {}) => {
    const line = [command === built ? 'built' : command, ...args].join(' ').replace('nice -n 19 ', '');
    calls.push(line);
    if (command === built) return existsSync(built) ? kubectl('v1.34.1') : absent;
    if (line.startsWith('go build') && programs.go?.status === 0) writeFileSync(join(cwd ?? '', 'kubectl.new'), '');
    return programs[line.split(' ')[0] ?? ''] ?? absent;
  };
  return { directory, calls, provide: () => provideKubectl(() => {}, directory, run) };
};

describe('the kubectl of the conformance suites', () => {
  it('is the one in the PATH if it is new enough', () => {
    const { provide, calls } = computer({ kubectl: kubectl('v1.32.4-dispatcher') });

    expect(provide()).toBeUndefined();
    expect(calls).toEqual(['kubectl version --client -o json']);
  });

  it.each([
    ['there is none', {}],
    ['it is too old', { kubectl: kubectl('v1.20.2') }],
  ])('is built once if %s', (_reason, programs) => {
    const { directory, provide, calls } = computer({ ...programs, go: success });

    expect([provide(), provide()]).toEqual([directory, directory]);
    expect(calls.filter((call) => call.startsWith('go build'))).toHaveLength(1);
    expect(readFileSync(join(directory, 'kubectl.src', 'main.go'), 'utf8')).toContain('k8s.io/kubectl/pkg/cmd');
  });

  it('is reported as required if it can neither be found nor built', () => {
    expect(computer({}).provide).toThrow(/need kubectl 1\.28 or newer on the PATH, or Go to build one/);
  });

  it('is reported as missing, with the reason, if its build fails', () => {
    const { directory, provide } = computer({ go: success });
    const failing: RunTool = (command, args) =>
      args.includes('get')
        ? { status: 1, stdout: '', stderr: 'no network' }
        : { ...absent, status: command === 'go' || command === 'nice' ? 0 : null };

    expect(() => provideKubectl(() => {}, directory, failing)).toThrow(
      /kubectl could not be built: go get .*no network/s,
    );
    expect(existsSync(join(directory, 'kubectl'))).toBe(false);
    expect(provide()).toBe(directory);
  });
});
