import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { hostConditionsText } from '../texts/host.ts';

export const hostTexts = {
  text: 'A computer that exists and is reached over SSH. HostMachines of its namespace claim it, one at a time.',
  fields: {
    spec: [
      'How the host is reached.',
      {
        address: 'IP address or DNS name of the host. Cannot be changed while the Host is claimed.',
        port: 'Port of the SSH server; the default is 22. Cannot be changed while the Host is claimed.',
        user: 'User to log in as: root, or one who may run sudo without a password. Defaults to root.',
        hostKey:
          'Public key of the host as in known_hosts ("ssh-ed25519 AAAA…"). A host with another key is refused before the user is authenticated.',
        secretRef: [
          'Secret in the same namespace that has the private key of the user under the key ssh-privatekey, in a format of OpenSSH and without a passphrase.',
          { name: 'Name of the Secret.' },
        ],
      },
    ],
    status: [
      'Who uses the host, and whether it answers. Written by the controllers.',
      {
        claim: [
          'The HostMachine that the host belongs to. Absent while the host is free.',
          {
            machine: 'Name of the HostMachine.',
            uid: 'UID of the HostMachine.',
            since: 'When the host was claimed, in RFC 3339 form.',
          },
        ],
        conditions: hostConditionsText,
      },
    ],
  },
} satisfies KindTexts;
