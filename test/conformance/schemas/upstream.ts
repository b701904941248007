import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { folderOfModule } from '../../../infra/cli/conformance/go-module.ts';
import type { CustomResourceDefinition } from '../../../shared/kube-api/custom-resource-definition.ts';

/**
 * The modules with upstream's CustomResourceDefinitions, in the versions whose templates the suite `templates` runs.
 */
export const MODULES = ['sigs.k8s.io/cluster-api@v1.14.2', 'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0'] as const;

/** All CustomResourceDefinitions of a module as controller-gen writes them. */
export const definitionsOf = (module: string): CustomResourceDefinition[] => {
  const folder = folderOfModule(module);
  const files = globSync('{,core/,cmd/clusterctl/,*/kubeadm/}config/crd/bases/*.yaml', { cwd: folder }).sort();
  return files.map((file) => parse(readFileSync(join(folder, file), 'utf8')) as CustomResourceDefinition);
};
