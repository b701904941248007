import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { manifestFile, manifests, newFolder } from '../ecosystem/manifests.ts';
import {
  kubectlOptions,
  must,
  npmStart,
  type Result,
  run,
  type Started,
  stop,
  whenReady,
} from '../quickstart/windlass.ts';

/**
 * The folder with the programs that `npm run conformance` builds: the Helm command, and a program that uses Flux's
 * library.
 */
const PROGRAMS = process.env.WINDLASS_ECOSYSTEM;
const RELEASE = 'suite';
const PATIENT = ['--wait', `--timeout=${PATIENCE_SECONDS}s`];

/** Writes a chart whose value `workers` sets the number of the quickstart's workers. */
const writeChart = (folder: string): string => {
  const chart = join(folder, 'chart');
  const workers = /(kind: MachineDeployment\n[\s\S]*?replicas: )\d+/;
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: cluster\nversion: 0.1.0\n');
  writeFileSync(join(chart, 'values.yaml'), 'workers: 1\n');
  // The manifests contain cloud-init's double braces, so they cannot be templates themselves.
  writeFileSync(join(chart, 'cluster.yaml'), manifests().replace(workers, '$1WORKERS'));
  const template = '{{ .Files.Get "cluster.yaml" | replace "WORKERS" (toString .Values.workers) }}\n';
  writeFileSync(join(chart, 'templates', 'cluster.yaml'), template);
  return chart;
};

describe.skipIf(!PROGRAMS)('delivery to an installation', { timeout: LIMIT }, () => {
  const folder = newFolder();
  const chart = writeChart(folder);
  let windlass: Started;
  beforeAll(async () => {
    windlass = npmStart(['--boot', '1']);
    await whenReady(windlass);
  }, LIMIT);
  afterAll(() => stop(windlass), LIMIT);

  const kubectl = (...words: string[]): Promise<string> => must('kubectl', [...kubectlOptions(windlass), ...words]);

  describe('by Helm', () => {
    const helm = (...words: string[]): Promise<Result> => {
      const homes = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
      return run(
        join(String(PROGRAMS), 'helm'),
        ['--kubeconfig', windlass.kubeconfig, '-n', 'default', ...words],
        homes,
      );
    };
    const done = async (...words: string[]): Promise<void> => {
      const { code, stderr } = await helm(...words);
      expect(code, stderr).toBe(0);
    };
    const history = async (): Promise<string[]> => {
      const { stdout } = await helm('history', RELEASE, '-o', 'json');
      return (JSON.parse(stdout) as { status: string }[]).map(({ status }) => status);
    };
    const workers = () => kubectl('get', 'machinedeployment', 'quickstart-md-0', '-o', 'jsonpath={.spec.replicas}');

    it('installs a cluster that becomes available', async () => {
      await done('install', RELEASE, chart, ...PATIENT);
      await kubectl('wait', '--for=condition=Available', 'cluster/quickstart', `--timeout=${PATIENCE_SECONDS}s`);
      expect(await history()).toEqual(['deployed']);
    });

    it('upgrades it with a value', async () => {
      await done('upgrade', RELEASE, chart, '--set', 'workers=2', ...PATIENT);
      expect(await workers()).toBe('2');
    });

    it('reports an upgrade that the API refuses, which changes nothing', async () => {
      const { code, stderr } = await helm('upgrade', RELEASE, chart, '--set', 'workers=many', ...PATIENT);
      expect(code).toBe(1);
      expect(stderr).toContain('spec.replicas');
      expect(await workers()).toBe('2');
      expect((await history()).at(-1)).toBe('failed');
    });

    it('rolls back', async () => {
      await done('rollback', RELEASE, '1', ...PATIENT);
      expect(await workers()).toBe('1');
      expect(await history()).toEqual(['superseded', 'superseded', 'failed', 'deployed']);
    });

    it('uninstalls it, and waits until it is gone', async () => {
      await done('uninstall', RELEASE, ...PATIENT);
      expect(await kubectl('get', 'clusters,machines,awsmachinetemplates', '-o', 'name')).toBe('');
    });
  });

  it("by Flux's library: applies, corrects drift, changes, prunes and deletes", async () => {
    const words = [windlass.kubeconfig, 'flux', manifestFile(folder)];
    const { code, stderr } = await run(join(String(PROGRAMS), 'suite'), words);
    expect(code, stderr).toBe(0);
    expect(await kubectl('get', 'clusters,machines,awsmachinetemplates', '-o', 'name')).toBe('');
  });
});
