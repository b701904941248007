import { TransientError } from '../../../shared/errors.ts';
import { type Host, type HostMachine, kinds } from '../../../shared/kinds/index.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { DONE, waitForRemoval } from '../../../shared/plan/machines/waiting.ts';
import { lastWords } from '../../../shared/providers/hosts/boot/last-words.ts';
import { isMoved, isReleasedByHand, markOf, withoutClaim } from '../../../shared/providers/hosts/claims.ts';
import { readProviderId } from '../../../shared/providers/hosts/names.ts';
import { withHostReady } from '../../../shared/providers/hosts/status.ts';
import type { MachineInput, ProgressResult } from '../../../shared/work/payloads.ts';
import { machineKey } from '../../machine/read-machine.ts';
import { withRemoval } from '../../machine/removal.ts';
import { askJob, reportHost } from './ask.ts';
import { take } from './claim.ts';
import type { HostsDependencies } from './dependencies.ts';
import { record } from './observe.ts';
import { keyOf, readHost, readHostMachine } from './read.ts';
import { recorder } from './reasons.ts';
import { HostError } from './ssh/host-error.ts';

const LEASE_SECONDS = 120;

/**
 * Whether the machine has left the host: `wait` while the reset runs. Throws a HostError if the host cannot be reset
 * now.
 */
const reset = async (deps: HostsDependencies, host: Host, machine: HostMachine): Promise<'free' | 'wait'> => {
  const { state, words } = await askJob(deps, host, { verb: 'reset', uid: markOf(machine) });
  // The mark of another machine means that the host was reassigned manually, so it is not changed.
  if (state === 'free' || state === 'foreign') return 'free';
  if (state === 'running') return 'wait';
  const said = lastWords(words);
  throw new HostError('UnexpectedAnswer', `the reset has failed${said ? `: ${said}` : ''}; it is tried again`);
};

const free = async (deps: HostsDependencies, host: Host, machine: HostMachine): Promise<void> => {
  const uid = machine.metadata.uid ?? '';
  await deps.objects.mutate(kinds.host, keyOf(host), (current) => withoutClaim(current, uid));
};

const withReleased = (machine: HostMachine, now: Date): HostMachine =>
  withHostReady(
    { ...machine, status: { ...machine.status, state: 'Released', ready: false } },
    { status: 'False', severity: 'Info', reason: 'Deleted' },
    now,
  );

const reportWaiting = async (deps: HostsDependencies, ref: MachineInput['machine'], why: string): Promise<void> => {
  const message = `Waiting for HostMachine to be deleted: ${why}`;
  const deleting = { type: 'Deleting', status: 'True', reason: 'WaitingForInfrastructureDeletion', message } as const;
  await deps.objects.mutate(kinds.machine, machineKey(ref), (current) =>
    withObservation(current, { deleting }, deps.clock.now()),
  );
};

const refuse = async (
  deps: HostsDependencies,
  ref: MachineInput['machine'],
  { host, machine, error }: { host: Host; machine: HostMachine; error: HostError },
): Promise<never> => {
  const { name } = host.metadata;
  const uid = machine.metadata.uid ?? '';
  const why = `Host ${name} cannot be reset: ${error.message}`;
  const hint = `if the host will never respond again, annotate the Host with windlass.dev/released-by-hand=${uid}`;
  await reportHost(deps, host, error);
  await reportWaiting(deps, ref, `${why}; ${hint}`);
  const message = `${why}; ${hint}`;
  await record(deps, ref, machine, (current) =>
    withHostReady(current, { status: 'False', severity: 'Error', reason: error.reason, message }, deps.clock.now()),
  );
  await recorder(deps).warning(machine, 'HostNotReleased', message);
  throw new TransientError(why);
};

const release = async (
  deps: HostsDependencies,
  ref: MachineInput['machine'],
  host: Host,
  machine: HostMachine,
): Promise<'free' | 'wait'> => {
  const uid = machine.metadata.uid ?? '';
  if (isReleasedByHand(host, uid)) {
    await recorder(deps).warning(
      host,
      'HostReleasedByHand',
      `Released by hand from HostMachine ${machine.metadata.name}`,
    );
    return 'free';
  }
  try {
    return await reset(deps, host, machine);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return refuse(deps, ref, { host, machine, error });
  }
};

/**
 * The Host to release. If a machine was moved here and deleted before it was adopted, its Host is claimed first, so
 * that the machine stays until the host is reset. Records it if there is no host to release.
 */
const hostToRelease = async (deps: HostsDependencies, machine: HostMachine): Promise<Host | undefined> => {
  const host = await readHost(deps.objects, machine);
  const claimed = host && isMoved(machine) ? await take(deps, host, machine) : host;
  const name = machine.status?.host?.name ?? readProviderId(machine.spec.providerID)?.host;
  const why = host ? 'belongs to another machine' : 'does not exist any more';
  if (!claimed && machine.spec.providerID)
    await recorder(deps).warning(machine, 'HostGone', `Host ${name} ${why}; nothing was reset`);
  return claimed?.status?.claim?.uid === machine.metadata.uid ? claimed : undefined;
};

/** A deleted HostMachine makes no new claim. */
const deleteMachine = async ({ objects }: HostsDependencies, machine: HostMachine): Promise<void> => {
  if (!machine.metadata.deletionTimestamp) await objects.delete(kinds.hostMachine, machine);
};

/**
 * Resets the host and frees it. A host that does not answer keeps its claim, and its machine stays, until the host
 * answers or an administrator declares with an annotation that nothing is left on it. A host with a kubelet is never
 * given to another machine.
 */
export const terminateInstance =
  (deps: HostsDependencies) =>
  async ({ machine: ref, holder }: MachineInput): Promise<ProgressResult> => {
    const snapshot = await readHostMachine(deps.objects, ref);
    const machine = snapshot?.hostMachine;
    if (!machine) return DONE;
    await deps.work.extendMachine(ref, holder, LEASE_SECONDS);
    await deleteMachine(deps, machine);
    return withRemoval(deps.work, { ref, holder }, machine, await leaveHost(deps, ref, machine));
  };

const leaveHost = async (
  deps: HostsDependencies,
  ref: MachineInput['machine'],
  machine: HostMachine,
): Promise<ProgressResult> => {
  const host = await hostToRelease(deps, machine);
  if (!host) return DONE;
  if ((await release(deps, ref, host, machine)) === 'wait') {
    await reportWaiting(deps, ref, `Host ${host.metadata.name} is being reset`);
    return waitForRemoval(machine.metadata.deletionTimestamp, deps.clock.now());
  }
  await record(deps, ref, machine, (current) => withReleased(current, deps.clock.now()));
  await free(deps, host, machine);
  await recorder(deps).normal(host, 'HostReleased', `Free again after HostMachine ${machine.metadata.name}`);
  return DONE;
};
