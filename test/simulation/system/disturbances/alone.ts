/** Changes by users to a machine without an owner, and to the health checks of all machines. */
import { SINGLE, single } from '../stories/further-machines.ts';
import { healthChecks } from '../stories/health-checks.ts';
import { controlPlaneOf, named, type User, unlessGone } from '../user.ts';
import type { Change } from './change.ts';

export const removeAlone = async (user: User): Promise<void> => {
  for (const { kind, metadata } of single())
    if (await named(user, kind, metadata.name)) await user.remove(kind, metadata.name).catch(unlessGone);
};

/** A machine with a kubeadm configuration. */
export const ALONE: Readonly<Record<string, Change>> = {
  create: async ({ user }) => {
    const { version } = (await controlPlaneOf(user))?.spec ?? {};
    for (const { kind } of single()) if (await named(user, kind, SINGLE)) return undefined;
    for (const object of single(version)) await user.create(object);
    return `creates Machine ${SINGLE}`;
  },
  remove: async ({ user }) => {
    if (!(await named(user, 'Machine', SINGLE))) return undefined;
    await removeAlone(user);
    return `deletes Machine ${SINGLE} with its objects`;
  },
};

export const restoreChecks = async (user: User): Promise<void> => {
  for (const check of healthChecks())
    if (!(await named(user, check.kind, check.metadata.name))) await user.create(check);
};

/** Health checks of a cluster without a class; a class defines its own. */
export const HEALTH_CHECKS: Readonly<Record<string, Change>> = {
  toggle: async ({ user }, { one }) => {
    const check = one(healthChecks());
    if (check === undefined) return undefined;
    const { kind, metadata } = check;
    const isThere = await named(user, kind, metadata.name);
    await (isThere ? user.remove(kind, metadata.name) : user.create(check));
    return `${isThere ? 'deletes' : 'creates'} ${kind} ${metadata.name}`;
  },
};
