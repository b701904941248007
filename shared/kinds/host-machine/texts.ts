import type { KindTexts } from '../../kube-api/schema/field-texts.ts';
import { hostConditionsText, hostMachineSpecFields } from '../texts/host.ts';

export const hostMachineTexts = {
  text: 'The host of one Machine. Usually created from a HostMachineTemplate.',
  fields: {
    spec: [
      'What the machine requires of its host. Immutable except for what the controllers fill in.',
      hostMachineSpecFields,
    ],
    status: [
      'What is known about the host of the machine. Written by the controllers.',
      {
        ready: 'Whether the boot script has succeeded.',
        host: [
          'The Host that was chosen.',
          { name: 'Name of the Host.', uid: 'UID of the Host.', zone: 'Zone of the Host when it was chosen.' },
        ],
        state:
          'How far the machine is: Claimed before the boot script starts, Booting while it runs, Running or Failed when it has ended, Released when the host is free again.',
        decidedAt: 'When the bootstrap data was settled, in RFC 3339 form.',
        addresses: [
          'Addresses of the host.',
          { type: 'Hostname or InternalIP.', address: 'An IP address or a host name.' },
        ],
        conditions: hostConditionsText,
      },
    ],
  },
} satisfies KindTexts;
