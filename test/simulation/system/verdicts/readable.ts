/** Objects that users can read must contain no secrets, and no generation may decrease. */
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { storedObjects } from '../states/objects.ts';
import type { User } from '../user.ts';
import type { Canaries } from './canaries.ts';
import { type makeGenerations, secretBreach } from './judge.ts';

type SecretObject = KubeObject & { data?: Readonly<Record<string, string>> };

export interface Reading {
  user: User;
  canaries: Canaries;
  generations: ReturnType<typeof makeGenerations>;
  accuse(breaches: readonly string[]): void;
}

/**
 * Learns the values of all Secrets, and checks all other objects, of every kind and namespace. Only Secrets are read
 * through the API: the table contains their data in encrypted form.
 */
export const readAll = async ({ user, canaries, generations, accuse }: Reading): Promise<void> => {
  for (const { metadata, data = {} } of await user.list<SecretObject>('Secret'))
    for (const [key, value] of Object.entries(data))
      canaries.learn(`${key} of the Secret ${metadata.name}`, Buffer.from(value, 'base64'));
  for (const { object, text } of storedObjects()) {
    accuse(generations(object));
    const where = `${object.kind} ${object.metadata.name}`;
    accuse(secretBreach(where, text));
    canaries.tell(where, text);
  }
  accuse(canaries.found());
};
