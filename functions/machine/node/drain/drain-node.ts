import type { Machine } from '../../../../shared/kinds/index.ts';
import { PARKED } from '../../../../shared/plan/drain/pace.ts';
import { preDrainHooks, preTerminateHooks } from '../../../../shared/plan/drain/stages.ts';
import { DONE, FAILED } from '../../../../shared/plan/machines/waiting.ts';
import type { MachineInput, ProgressResult } from '../../../../shared/work/payloads.ts';
import { readMachine } from '../../read-machine.ts';
import type { NodeDependencies } from '../dependencies.ts';
import { isHeld, park } from '../held.ts';
import { mayDeleteNode } from '../surroundings.ts';
import { drainStage } from './drain.ts';
import { findNodeRef } from './find-node-ref.ts';
import { type Look, report, type Stage } from './look.ts';
import { volumesStage } from './volumes.ts';

/** No execution waits for hooks: their removal changes the Machine, which starts a pass over its cluster. */
const stage =
  (hooksOf: (machine: Machine) => string[], wait: (look: Look, hooks: string) => Promise<void>): Stage =>
  async (look) => {
    const hooks = hooksOf(look.machine);
    if (hooks.length === 0) return undefined;
    await wait(look, `(hooks: ${hooks.join(',')})`);
    return PARKED;
  };

const preDrainStage = stage(preDrainHooks, (look, hooks) =>
  report(look, 'waitForPreDrainHookStartTime', {
    reason: 'WaitingForPreDrainHook',
    message: `Waiting for pre-drain hooks to succeed ${hooks}`,
  }),
);

/** Waits for the hooks that must finish before the machine leaves etcd and is terminated. */
export const preTerminateStage = stage(preTerminateHooks, (look, hooks) =>
  report(look, 'waitForPreTerminateHookStartTime', {
    reason: 'WaitingForPreTerminateHook',
    message: `Waiting for pre-terminate hooks to succeed ${hooks}`,
  }),
);

/** Longer than any wait between two checks, and longer than the evictions of one check. */
const LEASE_SECONDS = 120;

const NODE_STAGES: readonly Stage[] = [preDrainStage, drainStage, volumesStage];

/**
 * Runs the stages until one has to wait; `done` if none has to. Each check starts over, because previous results may be
 * outdated.
 */
const walk = async (look: Look): Promise<ProgressResult> => {
  look.machine = await findNodeRef(look);
  const isAllowed = await mayDeleteNode(look.deps, { ...look.snapshot, machine: look.machine });
  for (const stage of [...(isAllowed ? NODE_STAGES : []), preTerminateStage]) {
    const wait = await stage(look);
    if (wait) return wait;
  }
  return DONE;
};

/**
 * Everything that must happen before a machine may be terminated, in Cluster API's order: pre-drain hooks, the drain of
 * its node, the detachment of its volumes, and pre-terminate hooks. The condition Deleting reports what it waits for.
 * If the node does not matter any more (`isNodeDeletionAllowed`), only the last of these is done.
 */
export const drainNode =
  (deps: NodeDependencies) =>
  async (input: MachineInput): Promise<ProgressResult> => {
    const { machine: ref, holder } = input;
    const snapshot = await readMachine(deps.objects, ref);
    if (!snapshot) return DONE;
    if (!(await deps.work.extendMachine(ref, holder, LEASE_SECONDS))) return FAILED;
    const { machine } = snapshot;
    if (isHeld(snapshot)) return park(deps, input, machine);
    const look: Look = { deps, input, snapshot, machine };
    const result = await walk(look);
    return result.progress === 'failed' ? park(deps, input, look.machine) : result;
  };
