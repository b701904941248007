import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKubeadms } from '../../../infra/cli/conformance/kubeadm.ts';
import { renderBootstrapData } from '../../../shared/bootstrap/bootstrap-data.ts';
import type { BootstrapInput } from '../../../shared/bootstrap/kubeadm/input.ts';
import type { KubeadmConfigSpec } from '../../../shared/bootstrap/kubeadm/spec.ts';
import { inputOf, ROLES } from './cases.ts';
import { IGNITION_SPECS } from './ignition-specs.ts';
import { SPECS } from './specs.ts';
import { writtenFiles } from './written-files.ts';

/**
 * Passes the kubeadm configuration of machines to the kubeadm of the oldest minor version, of the first with v1beta4,
 * and of the newest. Needs WINDLASS_KUBEADM, which `npm run conformance` sets.
 */
const programs = readKubeadms(process.env.WINDLASS_KUBEADM);
const DISCOVERY = '/etc/discovery.conf';
/** The possible paths of kubeadm's configuration file, which depend on the format of the bootstrap data. */
const CONFIGURATIONS = ['/run/kubeadm/kubeadm.yaml', '/run/kubeadm/kubeadm-join-config.yaml', '/etc/kubeadm.yml'];

const FORMATS = ['cloud-init', 'Ignition'] as const;

const forIgnition = (specs: Readonly<Record<string, KubeadmConfigSpec>>) =>
  Object.fromEntries(Object.entries(specs).map(([title, spec]) => [title, { ...spec, format: 'ignition' as const }]));

const SPECS_BY_FORMAT: Readonly<Record<(typeof FORMATS)[number], Readonly<Record<string, KubeadmConfigSpec>>>> = {
  'cloud-init': SPECS,
  Ignition: forIgnition({ ...SPECS, ...IGNITION_SPECS }),
};

/** The files that kubeadm reads, with the host name that cloud-init or a systemd unit would fill in on the machine. */
const filesOf = (input: BootstrapInput): { config: string; discovery: string | undefined } => {
  const file = writtenFiles(renderBootstrapData(input));
  const config = CONFIGURATIONS.map(file).find((content) => content !== undefined);
  if (!config) throw new Error('the machine gets no file for kubeadm');
  return {
    config: config.replaceAll(
      /\{\{ ds\.meta_data\.local_hostname \}\}|\$\{COREOS_EC2_HOSTNAME\}/g,
      'ip-10-0-0-1.ec2.internal',
    ),
    discovery: file(DISCOVERY),
  };
};

describe.skipIf(programs.length === 0 && process.env.CI !== 'true')('the files of machines', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'windlass-kubeadm-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const cases = programs.flatMap((program) =>
    ROLES.flatMap((role) =>
      FORMATS.flatMap((format) =>
        Object.entries(SPECS_BY_FORMAT[format]).map(([title, spec]) => ({ ...program, role, format, title, spec })),
      ),
    ),
  );

  it('are tested with at least one kubeadm', () => {
    expect(programs).not.toEqual([]);
  });

  it.each(cases)('are accepted by kubeadm: $version $role by $format, with $title', (each) => {
    const { version, path: kubeadm, role, format, title, spec } = each;
    const path = join(directory, `${version}-${role}-${format}-${title.replace(/\W/g, '-')}.yaml`);
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
