import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KUBEADM_VERSIONS, provideKubeadm, readKubeadms, writeKubeadms } from './kubeadm.ts';
import type { RunTool } from './run-tool.ts';

let home: string;
let commands: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'windlass-kubeadm-'));
  commands = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const directoryOf = (version: string) => join(home, version);
const keep = (version: string) => {
  const path = join(directoryOf(version), 'kubeadm');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
};
const withoutGo: RunTool = (command, args) => {
  commands.push([command, ...args].join(' '));
  return { status: null, stdout: '', stderr: '' };
};

describe('kubeadm for several minor versions', () => {
  it('is taken from the cache', () => {
    for (const version of KUBEADM_VERSIONS) keep(version);
    const programs = provideKubeadm(() => {}, { directoryOf, run: withoutGo, fewest: false });
    expect(programs.map(({ version }) => version)).toEqual([...KUBEADM_VERSIONS]);
    expect(readKubeadms(writeKubeadms(programs))).toEqual(programs);
    expect(commands).toEqual([]);
  });

  it('is skipped if it is missing and only the newest is to be built', () => {
    keep(KUBEADM_VERSIONS.at(-1) ?? '');
    const said: string[] = [];
    const programs = provideKubeadm((line) => said.push(line), { directoryOf, run: withoutGo, fewest: true });
    expect(programs.map(({ version }) => version)).toEqual([KUBEADM_VERSIONS.at(-1)]);
    expect(said.join()).toContain(`there is no kubeadm ${KUBEADM_VERSIONS[0]}: left out`);
  });

  it('is reported as missing, with what to install, if none can be built', () => {
    const options = { directoryOf, run: withoutGo, fewest: true };
    expect(() => provideKubeadm(() => {}, options)).toThrow('needs Go to build kubeadm');
  });
});
