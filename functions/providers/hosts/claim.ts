import { CapacityUnavailableError, RefusedError, TransientError } from '../../../shared/errors.ts';
import { type Host, type HostMachine, kinds } from '../../../shared/kinds/index.ts';
import type { HostCheck } from '../../../shared/providers/hosts/boot/answer.ts';
import {
  chooseHost,
  isMoved,
  isOrphan,
  markOf,
  withChoice,
  withClaim,
  withoutChoice,
} from '../../../shared/providers/hosts/claims.ts';
import { check, reportHost } from './ask.ts';
import type { HostsDependencies } from './dependencies.ts';
import { type HostSnapshot, keyOf, readHost } from './read.ts';
import { recorder } from './reasons.ts';
import { HostError } from './ssh/host-error.ts';

/** The most hosts that one run tries: each one that does not answer costs seconds of the function's time. */
const MOST_TRIES = 3;

/** A machine with its host, and the host's answer. */
export interface ClaimedHost {
  machine: HostMachine;
  host: Host;
  found: HostCheck;
}

const choose = async (deps: HostsDependencies, snapshot: HostSnapshot, machine: HostMachine, tried: Set<string>) => {
  const { objects } = deps;
  const namespace = machine.metadata.namespace ?? '';
  // The order matters: the machine of every observed claim existed before the claim.
  const all = await objects.list(kinds.host, namespace);
  const machines = await objects.list(kinds.hostMachine, namespace);
  const zone = snapshot.machine.spec.failureDomain;
  return chooseHost({ machine, zone, hosts: all, machines, tried });
};

/** The machine with its recorded choice, which is the previous choice if there is one. */
const decide = async (
  deps: HostsDependencies,
  snapshot: HostSnapshot,
  machine: HostMachine,
  tried: Set<string>,
): Promise<HostMachine | string> => {
  if (machine.status?.host) return machine;
  const choice = await choose(deps, snapshot, machine, tried);
  if (typeof choice === 'string') return choice;
  const written = await deps.objects.mutate(kinds.hostMachine, keyOf(machine), (current) =>
    withChoice(current, choice),
  );
  if (!written?.status?.host) throw new TransientError('the HostMachine is gone or is being deleted');
  return written;
};

/** Withdraws a choice that failed. A machine that has started to use its host gets no other host. */
const forget = async (
  { objects }: HostsDependencies,
  machine: HostMachine,
  { message }: HostError,
): Promise<HostMachine> => {
  const { name, uid = '' } = machine.status?.host ?? {};
  const written = await objects.mutate(kinds.hostMachine, keyOf(machine), (current) => withoutChoice(current, uid));
  if (!written) throw new TransientError('the HostMachine is gone');
  if (written.status?.host?.uid === uid)
    throw new RefusedError(`Host ${name}, which the machine has started to use: ${message}; delete the Machine`);
  return written;
};

const inspect = async (deps: HostsDependencies, host: Host, machine: HostMachine): Promise<HostCheck> => {
  const mark = markOf(machine);
  const found = await check(deps, host, mark);
  if (found.owner === '' && isMoved(machine))
    throw new HostError('InUse', 'the host is not marked as belonging to the machine that spec.providerID names');
  if (found.owner !== '' && found.owner !== mark)
    throw new HostError(
      'InUse',
      'the host is marked as belonging to another HostMachine: release it, or remove /var/lib/windlass',
    );
  if (found.owner === '' && found.hasKubelet)
    throw new HostError('InUse', 'the host is a node of a cluster already: reset it, or choose another');
  return found;
};

const claimOne = async (deps: HostsDependencies, machine: HostMachine): Promise<ClaimedHost | HostError> => {
  const host = await readHost(deps.objects, machine);
  if (!host) return new HostError('InUse', 'the Host was deleted');
  try {
    const found = await inspect(deps, host, machine);
    const current = await take(deps, host, machine);
    if (!current) return new HostError('InUse', 'another machine claimed the Host first');
    await reportHost(deps, current);
    return { machine, host: current, found };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    await reportHost(deps, host, error);
    // A host that is already claimed keeps its claim: something may have been started on it.
    if (host.status?.claim?.uid === machine.metadata.uid) throw unusable(host, error);
    return error;
  }
};

/** The Host with the claim of this machine; undefined if another machine has it. */
export const take = async (deps: HostsDependencies, host: Host, machine: HostMachine): Promise<Host | undefined> => {
  const { claim } = host.status ?? {};
  if (claim?.uid === machine.metadata.uid) return host;
  const machines = await deps.objects.list(kinds.hostMachine, host.metadata.namespace);
  const orphan = isOrphan({ machines }, host) ? claim?.uid : undefined;
  const change = (current: Host) => withClaim(current, machine, deps.clock.now(), orphan);
  const current = await deps.objects.mutate(kinds.host, keyOf(host), change);
  if (!current || current.metadata.uid !== host.metadata.uid) return undefined;
  if (current.status?.claim?.uid !== machine.metadata.uid) return undefined;
  await sayClaimed(deps, machine, current);
  return current;
};

const sayClaimed = async (deps: HostsDependencies, machine: HostMachine, host: Host): Promise<void> => {
  const { name } = host.metadata;
  await recorder(deps).normal(machine, 'HostClaimed', `Claimed Host ${name} at ${host.spec.address}`);
  await recorder(deps).normal(host, 'HostClaimed', `Claimed by HostMachine ${machine.metadata.name}`);
};

/** The error for a claimed host that cannot be used now; the machine waits for it. */
export const unusable = (host: Host, { message }: HostError): TransientError =>
  new TransientError(`Host ${host.metadata.name}: ${message}`);

/**
 * Claims a host for a machine, or finds the claimed one. The choice is written on the machine first, then the claim on
 * the Host. Each is written only if no other run was faster: so a machine has one host, and a host one machine,
 * wherever a run crashes. A host is checked before it is claimed, so that no machine waits for an unusable one. A
 * machine that was moved to this installation is already on a host, which must have its mark.
 */
export const claimHost = async (deps: HostsDependencies, snapshot: HostSnapshot): Promise<ClaimedHost> => {
  let machine = snapshot.hostMachine;
  if (!machine) throw new TransientError('the HostMachine does not exist yet');
  const tried = new Map<string, HostError>();
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const decided = await decide(deps, snapshot, machine, new Set(tried.keys()));
    if (typeof decided === 'string') throw noHost(decided, tried);
    const claimed = await claimOne(deps, decided);
    if (!(claimed instanceof HostError)) return claimed;
    tried.set(decided.status?.host?.name ?? '', claimed);
    machine = await forget(deps, decided, claimed);
  }
  throw noHost('no Host could be claimed', tried);
};

const noHost = (why: string, tried: ReadonlyMap<string, HostError>): CapacityUnavailableError => {
  const problems = [...tried].map(([name, { message }]) => `Host ${name}: ${message}`);
  return new CapacityUnavailableError([why, ...problems].join('; '));
};
