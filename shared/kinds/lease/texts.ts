import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const leaseTexts = {
  text: 'A lease that its holder renews; programs use it to elect a leader. Windlass stores it for its clients.',
  fields: {
    spec: [
      'The holder of the lease, and its times.',
      {
        holderIdentity: 'Name of the current holder. Empty means that the lease has no holder.',
        leaseDurationSeconds: 'Time in seconds from renewTime after which others may take the lease. Must be above 0.',
        acquireTime: 'When the current holder acquired the lease, with microseconds.',
        renewTime: 'When the holder last renewed the lease, with microseconds.',
        leaseTransitions: 'How often the holder of the lease has changed. 0 or more.',
        strategy: 'Dropped on every write: it belongs to coordinated leader election, which is not offered.',
        preferredHolder: 'Dropped on every write: it belongs to coordinated leader election, which is not offered.',
      },
    ],
  },
} satisfies KindTexts;
