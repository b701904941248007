/** Objects that users can read must contain no secrets, and no generation may decrease. */

import type { Notes } from '../notes.ts';
import type { User } from '../user.ts';
import { type makeGenerations, secretBreach } from './judge.ts';

const READ = [
  'Cluster',
  'KubeadmControlPlane',
  'RKE2ControlPlane',
  'MachineDeployment',
  'MachinePool',
  'Machine',
  'AWSMachine',
  'Event',
];

/** Reads everything, and reports violations. */
export const readAll = async (user: User, { accuse }: Notes, generations: ReturnType<typeof makeGenerations>) => {
  for (const kind of READ)
    for (const object of await user.list(kind)) {
      accuse(generations(object));
      accuse(secretBreach(`${kind} ${object.metadata.name}`, JSON.stringify(object)));
    }
};
