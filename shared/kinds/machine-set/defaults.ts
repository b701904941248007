import { withVersionPrefix } from '../rules/bootstrap/version.ts';
import { labelValueOf } from '../rules/names.ts';
import { defaultReplicas } from '../rules/replicas.ts';
import { CLUSTER_NAME_LABEL } from '../schema/definition-parts.ts';
import type { MachineSet } from './schema.ts';

const SET_NAME_LABEL = 'cluster.x-k8s.io/set-name';

/**
 * Cluster API's defaults: replicas, the cluster's label, the `v` of the version, and a selector by name if there is
 * none.
 */
export const defaultMachineSet = (set: MachineSet, old: MachineSet | undefined): MachineSet => {
  const { metadata, spec } = set;
  const { selector, template } = spec;
  const isOpen = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length === 0;
  const added: Record<string, string> = isOpen ? { [SET_NAME_LABEL]: labelValueOf(metadata.name) } : {};
  const { version } = template.spec;
  return {
    ...set,
    metadata: { ...metadata, labels: { ...metadata.labels, [CLUSTER_NAME_LABEL]: spec.clusterName } },
    spec: {
      ...spec,
      replicas: defaultReplicas(set, old),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...added } },
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...added } },
        spec: version === undefined ? template.spec : { ...template.spec, version: withVersionPrefix(version) },
      },
    },
  };
};
