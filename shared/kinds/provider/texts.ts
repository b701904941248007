import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const providerTexts = {
  text: "Entry of clusterctl's inventory. Windlass stores it for clusterctl and does not act on it.",
  fields: {
    providerName: 'Name of the provider, such as aws.',
    type: 'Kind of provider, such as CoreProvider, BootstrapProvider, ControlPlaneProvider or InfrastructureProvider.',
    version: 'Installed version of the provider, such as v1.14.0.',
    watchedNamespace: 'Namespace that the provider watches. Empty means all namespaces.',
  },
} satisfies KindTexts;
