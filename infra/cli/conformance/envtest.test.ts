import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { provideEnvtest } from './envtest.ts';
import type { RunTool } from './run-tool.ts';

const success = { status: 0, stdout: '', stderr: '' };
const makeDirectory = () => mkdtempSync(join(tmpdir(), 'windlass-envtest-'));

const put = (directory: string, ...names: string[]): void => {
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    writeFileSync(join(directory, name), '');
    chmodSync(join(directory, name), 0o755);
  }
};

/** A computer with Go. Kubernetes replaces two modules by folders of its repository. */
const computer = () => {
  const directory = makeDirectory();
  const modFile = join(makeDirectory(), 'go.mod');
  writeFileSync(
    modFile,
    'replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n\tk8s.io/kms => ./staging/src/k8s.io/kms\n)\n',
  );
  const calls: string[] = [];
  const run: RunTool = (command, args, { cwd = '' } = {}) => {
    const line = [command, ...args].join(' ').replace('nice -n 19 ', '');
    calls.push(line);
    if (line.startsWith('go build')) put(cwd, args[args.indexOf('-o') + 1] ?? '');
    return line.startsWith('go mod download') ? { ...success, stdout: JSON.stringify({ GoMod: modFile }) } : success;
  };
  return { directory, calls, provide: (given?: string) => provideEnvtest(() => {}, directory, run, given) };
};

describe('the API server of the differential suite', () => {
  it('is the one in KUBEBUILDER_ASSETS, which must be complete', () => {
    const { calls, provide } = computer();
    const given = makeDirectory();
    put(given, 'etcd');

    expect(() => provide(given)).toThrow(`KUBEBUILDER_ASSETS names ${given}, where kube-apiserver is missing`);
    put(given, 'kube-apiserver');
    expect(provide(given)).toBe(given);
    expect(calls).toEqual([]);
  });

  it("is built once, with etcd, from the modules in Kubernetes' own repository", () => {
    const { directory, calls, provide } = computer();

    expect([provide(), provide()]).toEqual([directory, directory]);
    expect(calls.filter((call) => call.startsWith('go build'))).toHaveLength(2);
    expect(calls.find((call) => call.startsWith('go mod edit'))).toMatch(
      /-replace=k8s\.io\/api=k8s\.io\/api@v0\.35\.\d+ -replace=k8s\.io\/kms=k8s\.io\/kms@v0\.35\.\d+$/,
    );
  });

  it('is reported as required if it can neither be found nor built', () => {
    const nothing: RunTool = () => ({ ...success, status: null });
    expect(() => provideEnvtest(() => {}, makeDirectory(), nothing, undefined)).toThrow(
      /set KUBEBUILDER_ASSETS, or install Go/,
    );
  });
});
