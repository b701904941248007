import { type Host, type HostMachine, kinds, type Machine } from '../../../shared/kinds/index.ts';
import { withObservation } from '../../../shared/plan/machines/status.ts';
import { DONE, FAILED, waitFrom } from '../../../shared/plan/machines/waiting.ts';
import type { HostJob } from '../../../shared/providers/hosts/boot/answer.ts';
import { lastWords } from '../../../shared/providers/hosts/boot/last-words.ts';
import { markOf } from '../../../shared/providers/hosts/claims.ts';
import { hosts } from '../../../shared/providers/hosts/infrastructure.ts';
import { PROVISION_FAILED, withHostReady } from '../../../shared/providers/hosts/status.ts';
import type { MachineInput, ProgressResult } from '../../../shared/work/payloads.ts';
import { isLaunchHeld } from '../../machine/launch-held.ts';
import { machineKey } from '../../machine/read-machine.ts';
import { askJob, reportHost } from './ask.ts';
import { unusable } from './claim.ts';
import type { HostsDependencies } from './dependencies.ts';
import { type HostSnapshot, keyOf, readHost, readHostMachine } from './read.ts';
import { recorder } from './reasons.ts';
import { HostError } from './ssh/host-error.ts';
import { keepTokenOfBoot } from './token.ts';

const LEASE_SECONDS = 120;

/** The report of a boot job that failed. */
const failureOf = ({ state, exitCode, words }: HostJob): string => {
  if (state === 'lost') return 'the boot script was interrupted: the host was restarted, or the script was killed';
  if (state === 'foreign') return 'the host is marked as belonging to another HostMachine';
  if (state === 'none') return 'the host was reset by someone else';
  const said = lastWords(words);
  return `the boot script ended with exit code ${exitCode}${said ? `: ${said}` : '; see /var/lib/windlass/boot.log on the host'}`;
};

const withOutcome = (machine: HostMachine, failure: string | undefined, now: Date): HostMachine =>
  failure === undefined
    ? withHostReady(
        { ...machine, status: { ...machine.status, state: 'Running', ready: true } },
        { status: 'True' },
        now,
      )
    : withHostReady(
        { ...machine, status: { ...machine.status, state: 'Failed' } },
        { status: 'False', severity: 'Error', reason: PROVISION_FAILED, message: failure },
        now,
      );

/** Writes a change of the HostMachine, and the resulting changes of the Machine. */
export const record = async (
  { objects, clock }: Pick<HostsDependencies, 'objects' | 'clock'>,
  ref: MachineInput['machine'],
  machine: HostMachine,
  change: (current: HostMachine) => HostMachine | undefined,
): Promise<void> => {
  const infrastructure = await objects.mutate(kinds.hostMachine, keyOf(machine), change);
  if (!infrastructure) return;
  const { zone } = hosts.instance(infrastructure);
  const observe = (current: Machine) => withObservation(current, { infrastructure, zone }, clock.now());
  await objects.mutate(kinds.machine, machineKey(ref), observe);
};

const poll = async (deps: HostsDependencies, host: Host, machine: HostMachine): Promise<HostJob> => {
  try {
    const job = await askJob(deps, host, { verb: 'poll', uid: markOf(machine) });
    await reportHost(deps, host);
    return job;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    await reportHost(deps, host, error);
    throw unusable(host, error);
  }
};

const finish = async (
  deps: HostsDependencies,
  ref: MachineInput['machine'],
  { host, machine, failure }: { host: Host; machine: HostMachine; failure: string | undefined },
): Promise<ProgressResult> => {
  const { name } = host.metadata;
  await record(deps, ref, machine, (current) => withOutcome(current, failure, deps.clock.now()));
  if (failure === undefined)
    await recorder(deps).normal(machine, 'BootScriptSucceeded', `The boot script has succeeded on Host ${name}`);
  else await recorder(deps).warning(machine, 'BootScriptFailed', `Host ${name}: ${failure}`);
  return failure === undefined ? DONE : FAILED;
};

/** Nothing was claimed because of a pause: a later pass begins again. */
const isHeldBack = (machine: HostMachine, snapshot: HostSnapshot): boolean =>
  machine.status?.state === undefined && isLaunchHeld(snapshot, machine);

/** Whether the result is known without asking the host. */
const isOver = ({ status }: HostMachine): boolean => status?.state === 'Failed' || status?.state === 'Released';

/** Polls the progress of the boot script on the host. The script never runs a second time, whatever its result. */
export const observeInstance =
  (deps: HostsDependencies) =>
  async ({ machine: ref, holder }: MachineInput): Promise<ProgressResult> => {
    const snapshot = await readHostMachine(deps.objects, ref);
    const machine = snapshot?.hostMachine;
    if (!machine || snapshot.machine.metadata.deletionTimestamp || isHeldBack(machine, snapshot)) return FAILED;
    if (!(await deps.work.extendMachine(ref, holder, LEASE_SECONDS)) || isOver(machine)) return FAILED;
    if (machine.status?.state === 'Running') return DONE;
    const host = await readHost(deps.objects, machine);
    if (!host) return FAILED;
    const job = await poll(deps, host, machine);
    if (job.state === 'running') {
      await keepTokenOfBoot(deps, snapshot, ref);
      return waitFrom(machine.status?.decidedAt, deps.clock.now());
    }
    return finish(deps, ref, { host, machine, failure: job.state === 'done' ? undefined : failureOf(job) });
  };
