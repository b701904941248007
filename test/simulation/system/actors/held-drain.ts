/** A user deletes a Machine whose node must not be drained yet. */
import type { Machine } from '../../../../shared/kinds/index.ts';
import { named, type User, unlessGone } from '../user.ts';

const HOOK = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/user';

/** Long enough to detect executions that keep starting each other. */
const HELD_MILLISECONDS = 2 * 60_000;
/** A restored table may contain the annotation again. */
const CHECK_MILLISECONDS = 30_000;
const MOST_CHECKS = 20;

export interface HeldDrainOptions {
  user: User;
  wait(milliseconds: number): Promise<void>;
}

/** Resolves when the Machine no longer exists, or after a few more minutes. */
export const deleteHeld = async (name: string, { user, wait }: HeldDrainOptions): Promise<void> => {
  const annotate = (value: string | null): Promise<void> =>
    user.patch('Machine', name, { metadata: { annotations: { [HOOK]: value } } }).catch(unlessGone);
  await annotate('');
  await user.remove('Machine', name).catch(unlessGone);
  await wait(HELD_MILLISECONDS);
  for (let checks = 0; checks < MOST_CHECKS; checks += 1) {
    await annotate(null);
    await wait(CHECK_MILLISECONDS);
    if ((await named<Machine>(user, 'Machine', name)) === undefined) return;
  }
};
