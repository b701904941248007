import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readKubeadms } from '../../../infra/cli/conformance/kubeadm.ts';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import type { BootstrapInput } from '../../../shared/bootstrap/kubeadm/input.ts';
import { inputOf, ROLES } from './cases.ts';
import { SPECS } from './specs.ts';

/**
 * What a machine's kubeadm gets to read is given to that kubeadm: of the oldest minor, of the first with v1beta4, and of
 * the newest. Needs WINDLASS_KUBEADM, which `npm run conformance` sets.
 */
const programs = readKubeadms(process.env.WINDLASS_KUBEADM);
const DISCOVERY = '/etc/discovery.conf';

interface WriteFile {
  path: string;
  content: string;
}

/** The files of the machine that kubeadm reads. cloud-init fills in what stands in braces before. */
const filesOf = (input: BootstrapInput): { config: string; discovery: string | undefined } => {
  const { body } = renderBootstrapData(input);
  const { write_files: files } = parse(body, { version: '1.1' }) as { write_files: WriteFile[] };
  const config = files.find(({ path }) => dirname(path) === '/run/kubeadm' && path.endsWith('.yaml'));
  if (!config) throw new Error('the machine gets no file for kubeadm');
  return {
    config: config.content.replaceAll('{{ ds.meta_data.local_hostname }}', 'ip-10-0-0-1.ec2.internal'),
    discovery: files.find(({ path }) => path === DISCOVERY)?.content,
  };
};

describe.skipIf(programs.length === 0 && process.env.CI !== 'true')('the files that machines get', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'windlass-kubeadm-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const cases = programs.flatMap((program) =>
    ROLES.flatMap((role) => Object.entries(SPECS).map(([title, spec]) => ({ ...program, role, title, spec }))),
  );

  it('are given to a kubeadm at least', () => {
    expect(programs).not.toEqual([]);
  });

  it.each(cases)('kubeadm $version takes for $role, with $title', ({ version, path: kubeadm, role, title, spec }) => {
    const path = join(directory, `${version}-${role}-${title.replace(/\W/g, '-')}.yaml`);
    const { config, discovery } = filesOf(inputOf(role, version, spec));
    const discoveryPath = `${path}.discovery`;
    if (discovery !== undefined) writeFileSync(discoveryPath, discovery);
    writeFileSync(path, config.replaceAll(DISCOVERY, discoveryPath));

    const { status, stdout, stderr } = spawnSync(kubeadm, ['config', 'validate', '--config', path], {
      encoding: 'utf8',
    });

    expect(`${stdout}${stderr}`.trim()).toBe('ok');
    expect(status).toBe(0);
  });
});
