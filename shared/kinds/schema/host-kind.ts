/** Properties that the kinds for existing hosts have in common. */
export const hostKind = {
  group: 'infrastructure.windlass.dev',
  version: 'v1alpha1',
  categories: ['cluster-api'],
  namespaced: true,
  builtIn: false,
} as const;
