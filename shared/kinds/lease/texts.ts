import type { KindTexts } from '../../kube-api/schema/field-texts.ts';

export const leaseTexts = {
  text: 'A claim that its holder renews, by which one of several programs becomes the leader. Windlass stores it for its clients.',
  fields: {
    spec: [
      'Who holds the claim, and until when.',
      {
        holderIdentity: 'Name of the current holder. Empty means that nobody holds the claim.',
        leaseDurationSeconds: 'Time in seconds from renewTime after which others may take the claim. Must be above 0.',
        acquireTime: 'When the current holder took the claim, with microseconds.',
        renewTime: 'When the holder last renewed the claim, with microseconds.',
        leaseTransitions: 'How often the claim has changed hands. 0 or more.',
        strategy: 'Dropped on every write: it belongs to coordinated leader election, which is not offered.',
        preferredHolder: 'Dropped on every write: it belongs to coordinated leader election, which is not offered.',
      },
    ],
  },
} satisfies KindTexts;
