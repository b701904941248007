import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const secretTexts = {
  text: 'Confidential data, such as certificates, kubeconfigs and boot scripts. Windlass stores it encrypted.',
  fields: {
    data: 'Values by key, base64-encoded; keys consist of letters, digits, -, _ and a dot. All values together may have 1 MiB, and the whole object 350 KB.',
    stringData:
      'Values as plain text, for writing only. They are moved into data, where they replace values of the same key.',
    type: 'What the data is for, such as kubernetes.io/tls or cluster.x-k8s.io/secret. Defaults to Opaque, and cannot be changed.',
    immutable: 'Refuses changes of data while true, and cannot be set back. Defaults to false.',
  },
} satisfies KindTexts;
