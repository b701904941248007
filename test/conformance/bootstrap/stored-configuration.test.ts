import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kubeadm, readKubeadms } from '../../../infra/cli/conformance/kubeadm.ts';
import type { ClusterConfiguration } from '../../../shared/bootstrap/kubeadm/spec.ts';
import { updatedConfiguration } from '../../../shared/bootstrap/kubeadm/stored-configuration.ts';
import { SPECS } from './specs.ts';

/**
 * Tests that the kubeadm of a joining machine can read the ConfigMap kubeadm-config as Windlass writes it, for every
 * pair of versions: one that stored it and one that reads it. Needs WINDLASS_KUBEADM, which `npm run conformance` sets.
 */
const programs = readKubeadms(process.env.WINDLASS_KUBEADM);

const run = ({ path }: Kubeadm, ...args: string[]) => spawnSync(path, ['config', ...args], { encoding: 'utf8' });

/** The ClusterConfiguration that `kubeadm init` uploads: by default, or with extra arguments if `configured`. */
const storedBy = (program: Kubeadm, configured: boolean): string => {
  const documents = run(program, 'print', 'init-defaults').stdout.split(/^---$/m);
  const plain = documents.find((text) => text.includes('kind: ClusterConfiguration')) ?? '';
  if (!configured) return plain;
  const args = plain.includes('v1beta3') ? '{profiling: "false"}' : '[{name: profiling, value: "false"}]';
  return plain
    .replace('controllerManager: {}', `controllerManager: {extraArgs: ${args}}`)
    .replace('dataDir: /var/lib/etcd', `dataDir: /var/lib/etcd\n    extraArgs: ${args}`);
};

describe.skipIf(programs.length === 0 && process.env.CI !== 'true')('the stored ClusterConfiguration', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'windlass-kubeadm-config-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const wishes: [string, ClusterConfiguration | undefined][] = [
    ['nothing said of it', undefined],
    ...Object.entries(SPECS).map(([title, spec]): [string, ClusterConfiguration | undefined] => [
      title,
      spec.clusterConfiguration,
    ]),
  ];
  const cases = programs.flatMap((from) =>
    programs.flatMap((to) =>
      wishes.flatMap(([title, configuration]) =>
        (configuration ? [true] : [false, true]).map((configured) => ({ from, to, configured, title, configuration })),
      ),
    ),
  );

  it('is tested with at least one kubeadm', () => {
    expect(programs).not.toEqual([]);
  });

  it.each(cases)('of $from.version is accepted by $to.version, configured: $configured, with $title', (each) => {
    const { from, to, configured, configuration } = each;
    const stored = storedBy(from, configured);
    const wanted = { version: `v${to.version}`, configuration, timeouts: undefined };
    const next = updatedConfiguration(stored, wanted) ?? stored;
    expect(updatedConfiguration(next, wanted)).toBeUndefined();

    const path = join(directory, 'configuration.yaml');
    writeFileSync(path, next);
    const { status, stdout, stderr } = run(to, 'validate', '--config', path);
    expect(`${stdout}${stderr}`.trim()).toBe('ok');
    expect(status).toBe(0);
    expect(run(to, 'images', 'list', '--config', path).stdout).toContain(`/kube-apiserver:v${to.version}`);
  });
});
