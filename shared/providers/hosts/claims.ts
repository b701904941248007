import type { Host, HostMachine } from '../../kinds/index.ts';
import { RELEASE_ANNOTATION } from '../../kinds/rules/host-wishes.ts';
import { selects } from '../../kinds/rules/kubernetes/label-selector.ts';
import { formatTime } from '../../kube-api/object.ts';
import { HOSTS_FINALIZER, readProviderId, ZONE_LABEL } from './names.ts';

/** The objects from which a machine's host is chosen: everything in its namespace. */
export interface Choice {
  readonly machine: HostMachine;
  /** The failure domain in which the machine should be. */
  readonly zone: string | undefined;
  readonly hosts: readonly Host[];
  readonly machines: readonly HostMachine[];
  /** Hosts that were tried in this run and cannot be used. */
  readonly tried: ReadonlySet<string>;
}

export const zoneOf = ({ metadata }: Pick<Host, 'metadata'>): string | undefined => metadata.labels?.[ZONE_LABEL];

const isSuspect = ({ status }: Host): boolean =>
  status?.conditions?.some(({ type, status: holds }) => type === 'Reachable' && holds === 'False') === true;

/**
 * The uid that marks a host as this machine's. It is part of the provider id, which a machine keeps when it is moved to
 * another installation, where its own uid is a new one.
 */
export const markOf = ({ metadata, spec }: HostMachine): string =>
  readProviderId(spec.providerID)?.machineUid ?? metadata.uid ?? '';

/** Whether the machine was moved or restored: it has been on a host that its status does not contain yet. */
export const isMoved = ({ spec, status }: HostMachine): boolean =>
  spec.providerID !== undefined && status?.state === undefined;

/**
 * The hosts that other machines have chosen or are known to be on, also after a move, which does not copy their status.
 */
const chosenByOthers = ({ machine, machines }: Choice): ReadonlySet<string> =>
  new Set(
    machines
      .filter(({ metadata }) => metadata.uid !== machine.metadata.uid)
      .flatMap(({ spec, status }) => [
        ...(status?.host && status.state !== 'Released' ? [status.host.name] : []),
        ...(readProviderId(spec.providerID) && status?.state !== 'Released'
          ? [readProviderId(spec.providerID)?.host ?? '']
          : []),
      ]),
  );

/** Why a host cannot be claimed; undefined if it can. */
const obstacle = (choice: Choice, taken: ReadonlySet<string>, host: Host): string | undefined => {
  const { machine, tried } = choice;
  if (tried.has(host.metadata.name)) return 'cannot be used now';
  if (!selects(machine.spec.selector ?? {}, host.metadata.labels)) return 'do not match spec.selector';
  if (host.metadata.deletionTimestamp) return 'are being deleted';
  const isOthers = host.status?.claim ? !isOrphan(choice, host) : taken.has(host.metadata.name);
  return isOthers ? 'are claimed by other machines' : undefined;
};

/**
 * Whether the machine that has claimed a host no longer exists: it was deleted while a run was about to claim the host
 * for it. The host itself shows whether anything is left on it.
 */
export const isOrphan = ({ machines }: Pick<Choice, 'machines'>, { status }: Host): boolean =>
  status?.claim !== undefined && !machines.some(({ metadata }) => metadata.uid === status.claim?.uid);

/** Hosts in the preferred zone come first, and those that did not respond come last. Equal ones are sorted by name. */
const byPreference =
  ({ zone }: Choice) =>
  (a: Host, b: Host): number => {
    const isElsewhere = (host: Host): boolean => zone !== undefined && zoneOf(host) !== zone;
    const rank = (host: Host): number =>
      (host.status?.claim ? 4 : 0) + (isSuspect(host) ? 2 : 0) + (isElsewhere(host) ? 1 : 0);
    return rank(a) - rank(b) || (a.metadata.name < b.metadata.name ? -1 : 1);
  };

/** The host on which a moved machine is; no other one can be used. A text says why it cannot be claimed. */
const hostOfMoved = ({ machine, machines, hosts, tried }: Choice): Host | string => {
  const { providerID } = machine.spec;
  const name = readProviderId(providerID)?.host;
  if (name === undefined) return `spec.providerID does not name a Host: ${providerID}`;
  const host = hosts.find(({ metadata }) => metadata.name === name);
  const said = `Host ${name}, which spec.providerID names,`;
  if (!host) return `${said} does not exist in namespace ${machine.metadata.namespace}`;
  if (tried.has(name)) return `${said} cannot be claimed`;
  const { claim } = host.status ?? {};
  const isOthers = claim && claim.uid !== machine.metadata.uid && !isOrphan({ machines }, host);
  return isOthers ? `${said} is claimed by ${claim.machine}` : host;
};

/**
 * The host for a machine: the one on which it is or that is already claimed for it, or else the first free one. A text
 * says why there is none.
 */
export const chooseHost = (choice: Choice): Host | string => {
  if (isMoved(choice.machine)) return hostOfMoved(choice);
  const own = choice.hosts.find(({ status }) => status?.claim?.uid === choice.machine.metadata.uid);
  if (own) return own;
  const taken = chosenByOthers(choice);
  const judged = choice.hosts.map((host) => ({ host, why: obstacle(choice, taken, host) }));
  const [first] = judged
    .filter(({ why }) => why === undefined)
    .map(({ host }) => host)
    .sort(byPreference(choice));
  if (first) return first;
  const { namespace } = choice.machine.metadata;
  if (judged.length === 0) return `there is no Host in namespace ${namespace}: create Hosts for the machines`;
  const reasons = Object.entries(Object.groupBy(judged, ({ why = '' }) => why));
  const counts = reasons.map(([why, some = []]) => `${some.length} ${why}`).sort();
  return `none of the ${judged.length} Hosts in namespace ${namespace} can be claimed: ${counts.join(', ')}`;
};

/** The machine with its choice; undefined if it already has an earlier one, which is kept. */
export const withChoice = (machine: HostMachine, { metadata }: Host): HostMachine | undefined =>
  machine.status?.host || machine.metadata.deletionTimestamp
    ? undefined
    : {
        ...machine,
        status: {
          ...machine.status,
          host: {
            name: metadata.name,
            uid: metadata.uid ?? '',
            ...(zoneOf({ metadata }) ? { zone: zoneOf({ metadata }) } : {}),
          },
        },
      };

/** The machine without a failed choice; undefined if it has another one by now, or has started to use it. */
export const withoutChoice = (machine: HostMachine, uid: string): HostMachine | undefined => {
  if (machine.status?.host?.uid !== uid || (machine.spec.providerID && !isMoved(machine))) return undefined;
  const { host: _, ...status } = machine.status;
  return { ...machine, status };
};

/**
 * The host claimed for the machine; undefined if another machine has it. It is one write, so a host is never half
 * claimed. `orphan`: the uid of a machine that no longer exists, whose claim is replaced. A Host that is being deleted
 * can only be claimed for a machine that is already on it, and then stays until it is released.
 */
export const withClaim = (host: Host, machine: HostMachine, now: Date, orphan?: string): Host | undefined => {
  const { name, uid = '' } = machine.metadata;
  const { claim } = host.status ?? {};
  if ((claim && claim.uid !== orphan) || (host.metadata.deletionTimestamp && !isMoved(machine))) return undefined;
  const finalizers = [...new Set([...(host.metadata.finalizers ?? []), HOSTS_FINALIZER.host])];
  return {
    ...host,
    metadata: { ...host.metadata, finalizers },
    status: { ...host.status, claim: { machine: name, uid, since: formatTime(now) } },
  };
};

/** The host without a claim; undefined if it does not belong to this machine. */
export const withoutClaim = (host: Host, machineUid: string): Host | undefined => {
  if (host.status?.claim?.uid !== machineUid) return undefined;
  const { claim: _, ...status } = host.status;
  const finalizers = host.metadata.finalizers?.filter((name) => name !== HOSTS_FINALIZER.host);
  const { [RELEASE_ANNOTATION]: __, ...annotations } = host.metadata.annotations ?? {};
  return { ...host, metadata: { ...host.metadata, finalizers, annotations }, status };
};

/** Whether an administrator has confirmed that nothing of this machine is left on the host. */
export const isReleasedByHand = ({ metadata }: Host, machineUid: string): boolean =>
  metadata.annotations?.[RELEASE_ANNOTATION] === machineUid;
