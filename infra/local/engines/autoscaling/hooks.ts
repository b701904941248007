/** Waits for lifecycle hooks. */
import { emitHook } from './events.ts';
import type { Group, HookWait, Member } from './records.ts';
import type { AutoScaling } from './state.ts';

export const LAUNCHING = 'autoscaling:EC2_INSTANCE_LAUNCHING';
export const TERMINATING = 'autoscaling:EC2_INSTANCE_TERMINATING';

const TWO_DAYS = 172_800;

/** The longest time that an instance may wait for a hook, whatever the heartbeats: 48 hours or a hundred timeouts. */
export const globalSeconds = (heartbeatSeconds: number): number => Math.min(TWO_DAYS, 100 * heartbeatSeconds);

/** Makes an instance wait for all hooks of a transition, and reports each. Returns whether there are any. */
export const beginWaits = (as: AutoScaling, group: Group, member: Member, transition: string): boolean => {
  const hooks = [...group.hooks.values()].filter((hook) => hook.transition === transition);
  const now = as.now();
  member.waits = hooks.map(
    ({ name, heartbeatSeconds }): HookWait => ({
      hookName: name,
      token: as.place.random.uuid(),
      until: now + heartbeatSeconds * 1000,
      latest: now + globalSeconds(heartbeatSeconds) * 1000,
      result: undefined,
    }),
  );
  for (const [index, hook] of hooks.entries()) {
    const wait = member.waits[index];
    if (wait) emitHook(as, group, member, hook, wait);
  }
  return hooks.length > 0;
};

/** A deleted hook no longer blocks anything: its instance continues. */
const defaultResultOf = (group: Group, { hookName }: HookWait): 'CONTINUE' | 'ABANDON' =>
  group.hooks.get(hookName)?.defaultResult ?? 'CONTINUE';

/** The reason why an activity was cancelled, with AWS's message. */
const reasonOf = ({ token }: HookWait, timedOut: boolean): string =>
  `Instance failed to complete user's Lifecycle Action: Lifecycle Action with token ${token} was abandoned: ${timedOut ? 'Heartbeat Timeout' : 'Lifecycle Action Completed with ABANDON Result'}`;

export type Outcome = { readonly result: 'CONTINUE' } | { readonly result: 'ABANDON'; readonly reason: string };

/**
 * The result of the hooks for which an instance waits; undefined while one is open. The first abandoned hook decides;
 * if all continue or end with their default result, the instance does the same.
 */
export const outcomeOf = (as: AutoScaling, group: Group, member: Member): Outcome | undefined => {
  const now = as.now();
  for (const wait of member.waits) {
    const isOver = now >= Math.min(wait.until, wait.latest) || !group.hooks.has(wait.hookName);
    const result = wait.result ?? (isOver ? defaultResultOf(group, wait) : undefined);
    if (result === 'ABANDON') return { result, reason: reasonOf(wait, wait.result === undefined) };
    if (result === 'CONTINUE') wait.result = result;
  }
  return member.waits.every(({ result }) => result === 'CONTINUE') ? { result: 'CONTINUE' } : undefined;
};
