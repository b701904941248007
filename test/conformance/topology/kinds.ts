/** The additional kinds of upstream's server, beside those of its managers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Api } from '../../../infra/cli/api/client.ts';
import { folderOfModule } from '../../../infra/cli/conformance/go-module.ts';
import { type Definition, installDefinitions } from '../../../infra/cli/conformance/upstream/definitions.ts';

const PROVIDER = 'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0';
const AWS = ['awsclusters', 'awsclustertemplates', 'awsmachines', 'awsmachinetemplates'];

const readAws = (): Definition[] => {
  const directory = join(folderOfModule(PROVIDER), 'config/crd/bases');
  return AWS.map((plural) => {
    const text = readFileSync(join(directory, `infrastructure.cluster.x-k8s.io_${plural}.yaml`), 'utf8');
    return parse(text) as Definition;
  });
};

/** No module of the Go proxy contains the RKE2 provider, so the definitions of its kinds are read from Windlass. */
const RKE2 = [
  'rke2controlplanes.controlplane',
  'rke2controlplanetemplates.controlplane',
  'rke2configs.bootstrap',
  'rke2configtemplates.bootstrap',
];

const readRke2 = (laptop: Api): Promise<Definition[]> =>
  Promise.all(
    RKE2.map(async (name) => {
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}.cluster.x-k8s.io`;
      const { apiVersion, kind, metadata, spec } = await laptop.send<Definition & Record<string, unknown>>('GET', path);
      return { apiVersion, kind, metadata: { name: metadata.name }, spec } as unknown as Definition;
    }),
  );

/** Installs the kinds of the AWS provider and of RKE2 upstream, where nothing reconciles them. */
export const installKinds = async (upstream: Api, laptop: Api): Promise<void> => {
  await installDefinitions(upstream, [...readAws(), ...(await readRke2(laptop))]);
};
