import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CustomResourceDefinition } from '../../../shared/kube-api/custom-resource-definition.ts';

/** Where upstream publishes its CustomResourceDefinitions, in the versions whose templates the suite `templates` runs. */
export const MODULES = ['sigs.k8s.io/cluster-api@v1.14.2', 'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0'] as const;

/** The module's folder in Go's module cache. It is downloaded where it is missing. Throws an Error where it cannot be. */
const folderOf = (module: string): string => {
  const options = { cwd: tmpdir(), encoding: 'utf8', env: { ...process.env, GOFLAGS: '', GOWORK: 'off' } } as const;
  const { stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', module], options);
  if (error) throw error;
  const { Dir, Error: reason } = JSON.parse(stdout || '{}') as { Dir?: string; Error?: string };
  if (!Dir) throw new Error(`${module} could not be downloaded: ${reason ?? stderr}`);
  return Dir;
};

/** All CustomResourceDefinitions of a module, as controller-gen writes them. */
export const definitionsOf = (module: string): CustomResourceDefinition[] => {
  const folder = folderOf(module);
  const files = globSync('{,core/,cmd/clusterctl/,*/kubeadm/}config/crd/bases/*.yaml', { cwd: folder }).sort();
  return files.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as CustomResourceDefinition);
};
