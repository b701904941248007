import { TransientError } from '../../../shared/errors.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { isOverdue } from '../../../shared/plan/machines/waiting.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { isHeldOutside } from '../../cluster/held-outside.ts';
import { readMachine } from '../read-machine.ts';
import type { NodeDependencies } from './dependencies.ts';
import { whyNot } from './drain/drain-error.ts';
import { findNodeRef } from './drain/find-node-ref.ts';
import { type Look, withWorkload } from './drain/look.ts';
import { ownNode } from './drain/own-node.ts';
import { recorder } from './reasons.ts';
import { mayDeleteNode } from './surroundings.ts';

const DEFAULT_TIMEOUT_SECONDS = 10;

/** One step makes this many attempts, at this interval; the workflow's own retries continue. */
const ATTEMPTS = 5;
const PAUSE_MILLISECONDS = 2000;

/**
 * Deletes the node of a machine whose instance is gone. Gives up with a warning after `nodeDeletionTimeoutSeconds` (0:
 * never), counted from the machine's deletion: an API server that does not respond, or refuses, must not keep a machine
 * forever.
 */
export const deleteNode = (deps: NodeDependencies) => async (input: MachineInput) => {
  const { objects, clock } = deps;
  const snapshot = await readMachine(objects, input.machine);
  if (!snapshot) return { deleted: false };
  const { infrastructureMachine } = snapshot;
  // The provider removes the instance after this execution; the next one deletes the node.
  if (infrastructureMachine && isHeldOutside(snapshot.machine, infrastructureMachine)) return { deleted: false };
  // It may have joined after the search, during the termination of the instance.
  const machine = await findNodeRef({ deps, input, snapshot, machine: snapshot.machine });
  if (!(await mayDeleteNode(deps, { ...snapshot, machine }))) return { deleted: false };
  await reportDeleting(deps, machine, '');
  const problem = await tryOften({ deps, input, snapshot, machine });
  if (!problem) return { deleted: true };
  const timeout = machine.spec.deletion?.nodeDeletionTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  if (timeout === 0 || !isOverdue(machine.metadata.deletionTimestamp, timeout, clock.now())) {
    await reportDeleting(deps, machine, `Error deleting Node: ${problem}`);
    throw new TransientError(problem);
  }
  const message = `Node ${machine.status?.nodeRef?.name} was not deleted within ${timeout} s: ${problem}`;
  await recorder(deps).warning(machine, 'FailedDeleteNode', message);
  return { deleted: false };
};

const reportDeleting = async (
  { objects, clock }: NodeDependencies,
  { metadata }: Machine,
  message: string,
): Promise<void> => {
  const deleting = { type: 'Deleting', status: 'True', reason: 'DeletingNode', message } as const;
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  await objects.mutate(kinds.machine, key, (current) => withObservation(current, { deleting }, clock.now()));
};

const tryOften = async (look: Look): Promise<string | undefined> => {
  let problem = await tryDelete(look);
  for (let attempt = 1; problem && attempt < ATTEMPTS; attempt += 1) {
    await look.deps.clock.sleep(PAUSE_MILLISECONDS);
    problem = await tryDelete(look);
  }
  return problem;
};

/** Undefined if the node is gone, otherwise the reason why it could not be deleted. */
const tryDelete = async (look: Look): Promise<string | undefined> => {
  try {
    const { spec, status } = look.machine;
    const name = status?.nodeRef?.name ?? '';
    await withWorkload(look, async (client) => {
      if (await ownNode(look, client, name)) await client.deleteNode(name, spec.providerID);
    });
    return undefined;
  } catch (error) {
    const why = whyNot(error);
    if (why === undefined) throw error;
    return why;
  }
};
