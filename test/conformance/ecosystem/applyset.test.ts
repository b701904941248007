import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { LIMIT } from '../../../shared/test-patience.ts';
import { hasKubectl } from '../kubectl/kubectl.ts';
import { type ManagementApi, startManagementApi, writeKubeconfig } from '../management-api.ts';
import { must } from '../quickstart/windlass.ts';
import { manifestFile, newFolder } from './manifests.ts';

const SET = 'secrets/quickstart-set';
const KINDS =
  'configmaps,clusters,awsclusters,machinedeployments,kubeadmcontrolplanes,awsmachinetemplates,kubeadmconfigtemplates';

describe.skipIf(!hasKubectl() && process.env.CI !== 'true')("kubectl's apply sets", { timeout: LIMIT }, () => {
  const folder = newFolder();
  const kubeconfig = join(folder, 'kubeconfig');
  const file = manifestFile(folder);
  let server: ManagementApi;
  beforeAll(async () => {
    server = await startManagementApi();
    writeKubeconfig(kubeconfig, server.url);
  });
  afterAll(() => server?.stop());

  const kubectl = (...words: string[]): Promise<string> =>
    must('kubectl', ['--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'cache'), ...words], {
      KUBECTL_APPLYSET: 'true',
    });

  /** Applies manifests, and returns what was done with each object. */
  const apply = async (manifests: string, ...more: string[]): Promise<Map<string, string>> => {
    const words = ['apply', '--server-side', '-n', 'default', '--prune', `--applyset=${SET}`, '-f', manifests];
    const output = await kubectl(...words, ...more);
    return new Map(
      output
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
  };
  const parent = async () => JSON.parse(await kubectl('get', SET, '-o', 'json')).metadata;

  /** Writes the manifests without the objects of a kind, and returns the path of the file. */
  const without = (kind: string): string => {
    const kept = parseAllDocuments(readFileSync(file, 'utf8')).filter((document) => document.get('kind') !== kind);
    const rest = join(folder, `without-${kind}.yaml`);
    writeFileSync(rest, kept.map(String).join('---\n'));
    return rest;
  };

  it('creates the objects as members, and a parent that lists their kinds', async () => {
    const done = await apply(file);
    expect(new Set(done.values())).toEqual(new Set(['serverside-applied']));
    const { labels, annotations } = await parent();
    const id = labels['applyset.kubernetes.io/id'];
    expect(annotations['applyset.kubernetes.io/contains-group-kinds']).toContain('Cluster.cluster.x-k8s.io');
    const members = await kubectl('get', KINDS, '-l', `applyset.kubernetes.io/part-of=${id}`, '-o', 'name');
    expect(members.trim().split('\n')).toHaveLength(done.size);
  });

  it('previews a prune', async () => {
    const done = await apply(without('ConfigMap'), '--dry-run=server');
    expect(done.get('configmap/notes')).toBe('pruned');
    expect(await kubectl('get', 'configmaps', '-o', 'name')).toContain('configmap/notes');
  });

  it('prunes what was removed from the manifests, and nothing else', async () => {
    await kubectl('create', 'configmap', 'bystander');
    const done = await apply(without('ConfigMap'));
    expect([...done].filter(([, what]) => what === 'pruned')).toEqual([['configmap/notes', 'pruned']]);
    expect((await kubectl('get', 'configmaps', '-o', 'name')).trim().split('\n')).toEqual(['configmap/bystander']);
    expect((await parent()).annotations['applyset.kubernetes.io/contains-group-kinds']).not.toContain('ConfigMap');
  });
});
