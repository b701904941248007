/** Properties that the kinds of Rancher's demonstration of a cluster provisioner have in common. */
export const rancherKind = {
  group: 'clusterprovisioner.rke.io',
  version: 'v1alpha1',
  categories: [],
  namespaced: false,
  builtIn: false,
  shortNames: [],
} as const;
