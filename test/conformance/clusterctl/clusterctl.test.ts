import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CLUSTERCTL_ENVIRONMENT } from '../../../infra/cli/conformance/clusterctl.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startManagementApi, writeKubeconfig } from '../management-api.ts';
import { kubectlOptions, must, npmStart, type Started, stop, until, whenAvailable } from '../quickstart/windlass.ts';

let windlass: Started;
const directory = mkdtempSync(join(tmpdir(), 'windlass-move-'));

const clusterctl = (...args: string[]) =>
  must('clusterctl', [...args, '--kubeconfig', windlass.kubeconfig], CLUSTERCTL_ENVIRONMENT);
const kubectl = (...args: string[]) => must('kubectl', [...kubectlOptions(windlass), ...args]);

beforeAll(async () => {
  windlass = npmStart(['--apply', 'examples/quickstart.yaml']);
  await whenAvailable(windlass);
  // A cluster becomes Available before all of its machines are available.
  await until('all machines are available', async () => {
    const paths = ['controlPlane', 'workers'].map((part) => `{.status.${part}.availableReplicas}`);
    return (await kubectl('get', 'cluster', 'quickstart', '-o', `jsonpath=${paths.join()}`)) === '3,3';
  });
}, LIMIT);
afterAll(() => stop(windlass), LIMIT);

const objectsIn = (from: string): KubeObject[] =>
  readdirSync(from).map((file) => parse(readFileSync(join(from, file), 'utf8')) as KubeObject);

/** The name and spec of an object, as a text that does not depend on the order of the fields. */
const specOf = (object: KubeObject): string =>
  JSON.stringify([object.metadata.name, sorted((object as { spec?: unknown }).spec)]);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};

// The tests run in order.
describe('clusterctl', { timeout: LIMIT }, () => {
  it('describes a cluster as a tree of its objects, all of them ready', async () => {
    const tree = await clusterctl('describe', 'cluster', 'quickstart', '--grouping=false', '--show-templates');

    expect(tree).toMatch(/Cluster\/quickstart +6\/6 +6 +6 +6 +True +Available/);
    expect(tree).toContain('ClusterInfrastructure - AWSCluster/quickstart');
    expect(tree).toMatch(/ControlPlane - KubeadmControlPlane\/quickstart-control-plane/);
    expect(tree.match(/Machine\/quickstart-/g)).toHaveLength(6);
    expect(tree).not.toMatch(/ (False|Unknown) /);
  });

  it('gets a kubeconfig that works', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'windlass-clusterctl-')), 'kubeconfig');
    await writeFile(file, await clusterctl('get', 'kubeconfig', 'quickstart'), { mode: 0o600 });

    expect(
      (await must('kubectl', ['--kubeconfig', file, '--cache-dir', `${file}-cache`, 'get', 'nodes', '-o', 'name']))
        .trim()
        .split('\n'),
    ).toHaveLength(6);
  });

  it('moves the objects of all clusters to a directory, and the clusters continue', async () => {
    await clusterctl('move', '--to-directory', directory);

    const names = objectsIn(directory).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(names).toContain('Cluster/quickstart');
    expect(names).toContain('Secret/quickstart-ca');
    expect(names.filter((name) => name.startsWith('Machine/'))).toHaveLength(6);
    expect(names.filter((name) => name.startsWith('AWSMachine/'))).toHaveLength(6);
    expect(await kubectl('get', 'cluster', 'quickstart', '-o', 'jsonpath={.spec.paused}')).not.toBe('true');
  });

  it('moves them from the directory to another server, each with its new owner', async () => {
    const kubeconfig = join(directory, '..', `${basename(directory)}.kubeconfig`);
    const second = await startManagementApi();
    writeKubeconfig(kubeconfig, second.url);
    try {
      const there = ['--kubeconfig', kubeconfig, '--cache-dir', `${kubeconfig}-cache`];
      await must(
        'clusterctl',
        ['move', '--from-directory', directory, '--to-kubeconfig', kubeconfig],
        CLUSTERCTL_ENVIRONMENT,
      );

      const list = async (kind: string) =>
        JSON.parse(await must('kubectl', [...there, 'get', kind, '-o', 'json'])).items as KubeObject[];
      const here = objectsIn(directory);
      for (const kind of ['AWSCluster', 'KubeadmControlPlane', 'MachineSet', 'Machine', 'AWSMachine']) {
        const moved = await list(kind);
        const before = here.filter((object) => object.kind === kind);
        expect(moved.map(specOf).sort()).toEqual(before.map(specOf).sort());
      }
      // The cluster was paused during the move and has been resumed.
      expect((await list('Cluster')).map(({ metadata, ...rest }) => [metadata.name, rest])).toMatchObject([
        ['quickstart', { spec: { controlPlaneEndpoint: { port: 6443 } } }],
      ]);
      const sets = new Set((await list('MachineSet')).map(({ metadata }) => metadata.uid));
      const workers = (await list('Machine')).filter(({ metadata }) => metadata.name.startsWith('quickstart-md-0'));
      expect(workers.flatMap(({ metadata }) => metadata.ownerReferences ?? []).every(({ uid }) => sets.has(uid))).toBe(
        true,
      );
    } finally {
      await second.stop();
    }
  });
});
