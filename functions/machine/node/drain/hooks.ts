import type { Machine } from '../../../../shared/kinds/index.ts';
import { PARKED } from '../../../../shared/plan/drain/pace.ts';
import { preDrainHooks, preTerminateHooks } from '../../../../shared/plan/drain/stages.ts';
import { type Look, report, type Stage } from './look.ts';

/** Hooks are waited for without an execution: whoever takes one away changes the Machine, and so wakes its cluster. */
const stage =
  (hooksOf: (machine: Machine) => string[], wait: (look: Look, hooks: string) => Promise<void>): Stage =>
  async (look) => {
    const hooks = hooksOf(look.machine);
    if (hooks.length === 0) return undefined;
    await wait(look, `(hooks: ${hooks.join(',')})`);
    return PARKED;
  };

export const preDrainStage = stage(preDrainHooks, (look, hooks) =>
  report(look, 'waitForPreDrainHookStartTime', {
    reason: 'WaitingForPreDrainHook',
    message: `Waiting for pre-drain hooks to succeed ${hooks}`,
  }),
);

export const preTerminateStage = stage(preTerminateHooks, (look, hooks) =>
  report(look, 'waitForPreTerminateHookStartTime', {
    reason: 'WaitingForPreTerminateHook',
    message: `Waiting for pre-terminate hooks to succeed ${hooks}`,
  }),
);
