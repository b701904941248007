import type { KubeObject } from '../../kube-api/object.ts';

/** The label that every object of a cluster carries. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';

/** Properties that Cluster API's own kinds have in common. */
export const clusterApiKind = {
  version: 'v1beta2',
  categories: ['cluster-api'],
  namespaced: true,
  statusSubresource: true,
  builtIn: false,
} as const;

/** Properties that the kinds of the core group have in common: kubectl patches them by strategic merge. */
export const coreKind = {
  group: '',
  version: 'v1',
  categories: [],
  namespaced: true,
  statusSubresource: false,
  builtIn: true,
} as const;

export const clusterLabelOf = (object: KubeObject): string | undefined =>
  object.metadata.labels?.[CLUSTER_NAME_LABEL] || undefined;

/** The cluster of an object whose spec names it. The label takes precedence, because owners and selectors use it. */
export const clusterOfSpec = (object: KubeObject & { spec: { clusterName: string } }): string | undefined =>
  clusterLabelOf(object) ?? object.spec.clusterName;

/** `/scale` of kinds that own machines. */
export const machineScale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
} as const;
