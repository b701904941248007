import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const configMapTexts = {
  text: 'Data that is not confidential, such as the manifests of a ClusterResourceSet.',
  fields: {
    data: 'Text values by key; keys consist of letters, digits, -, _ and a dot. The whole object may have 350 KB.',
    binaryData: 'Binary values by key, base64-encoded. A key must not also be in data.',
    immutable: 'Refuses changes of data and binaryData while true, and cannot be set back. Defaults to false.',
  },
} satisfies KindTexts;
