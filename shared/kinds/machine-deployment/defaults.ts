import { withVersionPrefix } from '../rules/bootstrap/version.ts';
import { defaultReplicas } from '../rules/replicas.ts';
import { CLUSTER_NAME_LABEL } from '../schema/definition-parts.ts';
import type { MachineDeployment, MachineDeploymentSpec } from './schema.ts';

const DEPLOYMENT_NAME_LABEL = 'cluster.x-k8s.io/deployment-name';

const defaultRollout = ({ rollout = {} }: MachineDeploymentSpec): MachineDeploymentSpec['rollout'] => {
  const { type = 'RollingUpdate', rollingUpdate } = rollout.strategy ?? {};
  if (type !== 'RollingUpdate') return { ...rollout, strategy: { ...rollout.strategy, type } };
  return { ...rollout, strategy: { type, rollingUpdate: { maxSurge: 1, maxUnavailable: 0, ...rollingUpdate } } };
};

/**
 * Cluster API's defaults: replicas, a rolling update with one additional machine and none unavailable, a selector by
 * name if there is none, and the cluster's label on the object, its selector and its template.
 */
export const defaultMachineDeployment = (
  deployment: MachineDeployment,
  old: MachineDeployment | undefined,
): MachineDeployment => {
  const { metadata, spec } = deployment;
  const { selector, template } = spec;
  const isOpen = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
  const added = {
    ...(isOpen ? { [DEPLOYMENT_NAME_LABEL]: metadata.name } : {}),
    [CLUSTER_NAME_LABEL]: spec.clusterName,
  };
  const { version } = template.spec;
  return {
    ...deployment,
    metadata: { ...metadata, labels: { ...metadata.labels, [CLUSTER_NAME_LABEL]: spec.clusterName } },
    spec: {
      ...spec,
      replicas: defaultReplicas(deployment, old),
      rollout: defaultRollout(spec),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...added } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...added } },
        spec: version === undefined ? template.spec : { ...template.spec, version: withVersionPrefix(version) },
      },
    },
  };
};
