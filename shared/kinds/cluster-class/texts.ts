import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { specText } from '../texts/class-parts.ts';
import { clusterClassSpecFields } from '../texts/class-spec.ts';
import { oldClusterClassSpecFields } from '../texts/class-v1beta1.ts';
import { oldStatusVariablesText, statusVariablesText } from '../texts/class-variables.ts';
import { conditionsText, deprecatedText, legacyConditionsText, newConditionsText } from '../texts/meta.ts';
import { observedGenerationText } from '../texts/replicas.ts';

const statusText = 'Observed state of the class. It follows from the class alone and is updated with every write.';

export const clusterClassTexts = {
  text: 'Blueprint for clusters with a managed topology. A change of the class changes all clusters that use it.',
  fields: {
    spec: [specText, clusterClassSpecFields],
    status: [
      statusText,
      {
        conditions: conditionsText,
        variables: statusVariablesText,
        observedGeneration: observedGenerationText,
        deprecated: [deprecatedText, { v1beta1: [deprecatedText, { conditions: legacyConditionsText }] }],
      },
    ],
  },
  versions: {
    v1beta1: {
      spec: [specText, oldClusterClassSpecFields],
      status: [
        statusText,
        { conditions: legacyConditionsText, v1beta2: newConditionsText, variables: oldStatusVariablesText },
      ],
    },
  },
} satisfies KindTexts;
