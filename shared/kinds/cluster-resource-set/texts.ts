import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { conditionsText, deprecatedStatusText, labelSelectorFields, v1beta1StatusFields } from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';

const STATUS = 'What the controllers observe. Written by the controllers.';

export const clusterResourceSetTexts = {
  text: 'Manifests, such as a network add-on, that are applied to every cluster with certain labels.',
  fields: {
    spec: [
      'Which manifests go to which clusters.',
      {
        clusterSelector: [
          'Clusters of the namespace to apply the manifests to, by their labels. Must not be empty, and cannot be changed.',
          labelSelectorFields,
        ],
        resources: [
          'ConfigMaps and Secrets of the same namespace that hold the manifests. At least 1, at most 100.',
          {
            name: 'Name of the ConfigMap or Secret.',
            kind: 'ConfigMap or Secret. Each value in it is a manifest in YAML or JSON; Secrets must have the type addons.cluster.x-k8s.io/resource-set.',
          },
        ],
        strategy:
          'ApplyOnce creates what is missing and leaves it alone afterwards; Reconcile applies changed manifests again. Defaults to ApplyOnce, and cannot be changed.',
      },
    ],
    status: [
      STATUS,
      { conditions: conditionsText, observedGeneration: observedGenerationText, deprecated: deprecatedStatusText() },
    ],
  },
  versions: { v1beta1: { status: [STATUS, v1beta1StatusFields] } },
} satisfies KindTexts;
