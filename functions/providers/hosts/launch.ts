import { unpacked } from '../../../shared/bootstrap/gzip.ts';
import { BootstrapInvalidError } from '../../../shared/bootstrap/invalid.ts';
import { RefusedError } from '../../../shared/errors.ts';
import { type HostMachine, kinds } from '../../../shared/kinds/index.ts';
import { formatTime } from '../../../shared/kube-api/object.ts';
import type { HostCheck } from '../../../shared/providers/hosts/boot/answer.ts';
import { readCloudConfig } from '../../../shared/providers/hosts/boot/cloud-config.ts';
import { type Payload, payloadOf } from '../../../shared/providers/hosts/boot/payload.ts';
import { renderVariables } from '../../../shared/providers/hosts/boot/variables.ts';
import { isMoved, withoutClaim } from '../../../shared/providers/hosts/claims.ts';
import { providerIdOf } from '../../../shared/providers/hosts/names.ts';
import { withHostReady } from '../../../shared/providers/hosts/status.ts';
import type { MachineInput } from '../../../shared/work/payloads.ts';
import { isLaunchHeld } from '../../machine/launch-held.ts';
import { readStoredData } from '../bootstrap-data.ts';
import { askJob } from './ask.ts';
import { type ClaimedHost, claimHost, unusable } from './claim.ts';
import type { HostsDependencies } from './dependencies.ts';
import { type HostSnapshot, keyOf, readHostMachine } from './read.ts';
import { recorder } from './reasons.ts';
import { HostError } from './ssh/host-error.ts';

const textOf = (body: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(unpacked(body));
  } catch (error) {
    const isKnown = error instanceof BootstrapInvalidError;
    throw new RefusedError(
      isKnown ? error.message : 'bootstrap data: is not UTF-8 text; hosts take cloud-config alone',
    );
  }
};

/** Renders the data before anything is recorded, so that data which no host accepts is refused first. */
const prepare = async (deps: HostsDependencies, { machine }: HostSnapshot, claimed: ClaimedHost): Promise<Payload> => {
  const { body, format } = await readStoredData(deps.objects, machine);
  if (format !== 'cloud-config')
    throw new RefusedError(`bootstrap data: hosts take the format cloud-config, not ${format}`);
  const { namespace = '', uid = '' } = claimed.machine.metadata;
  const { name } = claimed.host.metadata;
  const text = renderVariables(textOf(body), {
    hostname: claimed.found.hostname,
    address: claimed.found.address,
    providerId: providerIdOf(namespace, name, uid),
    machineUid: uid,
    zone: claimed.machine.status?.host?.zone ?? '',
  });
  return payloadOf(readCloudConfig(text));
};

const addressesOf = ({ hostname, address }: HostCheck) => [
  { type: 'Hostname', address: hostname } as const,
  ...(address ? [{ type: 'InternalIP', address } as const] : []),
];

/** From here on, the machine may be a node, and its bootstrap data no longer changes. */
const withDecision = (machine: HostMachine, { host, found }: ClaimedHost, now: Date): HostMachine | undefined => {
  const { namespace = '', uid = '', deletionTimestamp } = machine.metadata;
  if (deletionTimestamp || machine.status?.host?.uid !== host.metadata.uid) return undefined;
  const decided: HostMachine = {
    ...machine,
    spec: { ...machine.spec, providerID: providerIdOf(namespace, host.metadata.name, uid) },
    status: {
      ...machine.status,
      state: 'Claimed',
      decidedAt: machine.status?.decidedAt ?? formatTime(now),
      addresses: addressesOf(found),
    },
  };
  return withHostReady(decided, { status: 'False', severity: 'Info', reason: 'HostClaimed' }, now);
};

const begin = async (deps: HostsDependencies, claimed: ClaimedHost, { text, sha256 }: Payload): Promise<void> => {
  const { host, machine } = claimed;
  const uid = machine.metadata.uid ?? '';
  try {
    const { state } = await askJob(deps, host, { verb: 'start', uid, argument: sha256, input: text });
    if (state === 'foreign') throw new HostError('InUse', 'the host is marked as belonging to another HostMachine');
    if (state === 'incomplete')
      throw new HostError('Unreachable', 'the connection broke while the boot script was sent');
    if (state === 'unwritable')
      throw new HostError('UnexpectedAnswer', 'the boot script cannot be stored or started in /var/lib/windlass');
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    await reportHostTrouble(deps, claimed, error);
    throw unusable(host, error);
  }
};

const reportHostTrouble = async (deps: HostsDependencies, { machine, host }: ClaimedHost, error: HostError) => {
  const message = `Host ${host.metadata.name}: ${error.message}`;
  await deps.objects.mutate(kinds.hostMachine, keyOf(machine), (current) =>
    withHostReady(current, { status: 'False', severity: 'Error', reason: error.reason, message }, deps.clock.now()),
  );
};

const isHeldBack = (snapshot: HostSnapshot): boolean =>
  snapshot.machine.metadata.deletionTimestamp !== undefined || isLaunchHeld(snapshot, snapshot.hostMachine);

const STARTED: readonly unknown[] = ['Booting', 'Running', 'Failed', 'Released'];

/**
 * The boot script of a moved machine was started by the previous installation; here, only its progress is polled. It
 * remains unknown when its data was decided, so nothing is rendered for it.
 */
const adopt = async (deps: HostsDependencies, { machine, host, found }: ClaimedHost): Promise<object> => {
  const adopted = await deps.objects.mutate(kinds.hostMachine, keyOf(machine), (current) =>
    isMoved(current) && current.status?.host?.uid === host.metadata.uid
      ? withBooting(
          { ...current, status: { ...current.status, state: 'Claimed', addresses: addressesOf(found) } },
          deps.clock.now(),
        )
      : undefined,
  );
  return letGo(deps, { machine, host, found }, adopted);
};

/**
 * Claims a host and starts the machine's boot script on it, once: the host is marked as this machine's, and a repeated
 * start changes nothing. The script continues without the connection; `observeInstance` polls its progress.
 */
export const launchInstance =
  (deps: HostsDependencies) =>
  async ({ machine: ref }: MachineInput) => {
    const snapshot = await readHostMachine(deps.objects, ref);
    if (!snapshot || isHeldBack(snapshot)) return {};
    if (STARTED.includes(snapshot.hostMachine?.status?.state)) return {};
    const claimed = await claimHost(deps, snapshot);
    if (isMoved(claimed.machine)) return adopt(deps, claimed);
    const payload = await prepare(deps, snapshot, claimed);
    const decided = await deps.objects.mutate(kinds.hostMachine, keyOf(claimed.machine), (current) =>
      withDecision(current, claimed, deps.clock.now()),
    );
    if (!isDecided(decided, claimed)) return letGo(deps, claimed, decided);
    await begin(deps, claimed, payload);
    await deps.objects.mutate(kinds.hostMachine, keyOf(decided), (current) => withBooting(current, deps.clock.now()));
    await recorder(deps).normal(
      decided,
      'BootScriptStarted',
      `Started the boot script on Host ${claimed.host.metadata.name}`,
    );
    return {};
  };

const isDecided = (machine: HostMachine | undefined, { host }: ClaimedHost): machine is HostMachine =>
  machine?.spec.providerID !== undefined &&
  machine.metadata.deletionTimestamp === undefined &&
  machine.status?.host?.uid === host.metadata.uid;

/**
 * Handles a machine that was deleted, or that has chosen another host, while this host was claimed. If nothing can have
 * been started, or everything has been released, the host becomes free again; the release of the machine ends what
 * another run has started. A machine that no longer exists has no release any more, and this run has started nothing
 * for it.
 */
const letGo = async (
  { objects }: HostsDependencies,
  { host, machine: { metadata } }: ClaimedHost,
  machine: HostMachine | undefined,
): Promise<object> => {
  const { uid = '' } = metadata;
  const mayRun = machine?.metadata.uid === uid && machine.spec.providerID && machine.status?.state !== 'Released';
  if (!mayRun) await objects.mutate(kinds.host, keyOf(host), (current) => withoutClaim(current, uid));
  return {};
};

const withBooting = (machine: HostMachine, now: Date): HostMachine | undefined =>
  machine.status?.state === 'Claimed'
    ? withHostReady(
        { ...machine, status: { ...machine.status, state: 'Booting' } },
        { status: 'False', severity: 'Info', reason: 'BootScriptRuns' },
        now,
      )
    : undefined;
