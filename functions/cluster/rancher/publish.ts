import { kinds, type RancherCluster, type RancherKubeconfig } from '../../../shared/kinds/index.ts';
import { forbidden } from '../../../shared/kube-api/status-error.ts';
import { controllerReference } from '../../../shared/plan/machines/desired.ts';
import type { RancherConfig } from '../../../shared/plan/rancher/config.ts';
import { partsOf, templateNameOf } from '../../../shared/plan/rancher/names.ts';
import { workerConfigOf } from '../../../shared/plan/rancher/rke2.ts';
import { isControlledBy } from '../owners.ts';
import type { RancherDependencies } from './dependencies.ts';
import type { Made } from './read.ts';

const kubeconfigOf = (cluster: RancherCluster): RancherKubeconfig => {
  const { namespace, name } = partsOf(cluster);
  return {
    apiVersion: cluster.apiVersion,
    kind: 'Kubeconfig',
    metadata: { name, ownerReferences: [controllerReference(cluster)] },
    spec: { secretRef: { namespace, name: `${name}-kubeconfig`, key: 'value' } },
  };
};

const makeKubeconfig = async ({ objects }: RancherDependencies, cluster: RancherCluster): Promise<void> => {
  const desired = kubeconfigOf(cluster);
  const { object } = await objects.ensure(kinds.rancherKubeconfig, desired);
  if (isControlledBy(object, cluster)) return;
  const why = 'the Kubeconfig of this name was not created for this Cluster: delete it';
  throw forbidden(kinds.rancherKubeconfig, desired.metadata.name, why);
};

/** Deletes the templates of this Cluster's earlier configurations, because no more machines are created from them. */
const removeFormerTemplates = async (
  { objects }: RancherDependencies,
  { cluster }: Made,
  config: RancherConfig,
): Promise<void> => {
  const { namespace, name } = partsOf(cluster);
  const current = templateNameOf(name, workerConfigOf(config));
  const all = await objects.list(kinds.rke2ConfigTemplate, namespace);
  const former = all.filter((one) => isControlledBy(one, cluster) && one.metadata.name !== current);
  for (const one of former) await objects.delete(kinds.rke2ConfigTemplate, one);
};

/**
 * Publishes the location of the kubeconfig once there is one, and deletes old templates when all nodes run. Throws
 * StatusError.
 */
export const publish = async (
  deps: RancherDependencies,
  made: Made,
  config: RancherConfig,
  isProvisioned: boolean,
): Promise<void> => {
  if (made.isInitialized) await makeKubeconfig(deps, made.cluster);
  if (isProvisioned) await removeFormerTemplates(deps, made, config);
};
