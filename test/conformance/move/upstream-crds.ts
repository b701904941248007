/** Installs upstream's own CustomResourceDefinitions, from its modules, in a real kube-apiserver. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Api } from '../../../infra/cli/api/client.ts';
import { folderOfModule } from '../../../infra/cli/conformance/go-module.ts';
import { type Definition, installDefinitions } from '../../../infra/cli/conformance/upstream/definitions.ts';

/** The modules whose schemas are used. The version of Cluster API is that of clusterctl. */
const MODULES = [
  {
    module: 'sigs.k8s.io/cluster-api@v1.13.6',
    folders: [
      'config/crd/bases',
      'bootstrap/kubeadm/config/crd/bases',
      'controlplane/kubeadm/config/crd/bases',
      'cmd/clusterctl/config/crd/bases',
    ],
  },
  { module: 'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0', folders: ['config/crd/bases'] },
];

/** Makes the server serve all kinds of these modules in their stored versions, and resolves when it serves them. */
export const installUpstreamKinds = (api: Api): Promise<void> => {
  const definitions = MODULES.flatMap(({ module, folders }) =>
    folders.flatMap((folder) => {
      const directory = join(folderOfModule(module), folder);
      return readdirSync(directory)
        .filter((file) => file.endsWith('.yaml'))
        .map((file) => parse(readFileSync(join(directory, file), 'utf8')) as Definition);
    }),
  );
  return installDefinitions(api, definitions);
};
