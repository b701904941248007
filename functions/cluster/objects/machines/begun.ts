/**
 * Machines of a control plane that is not formed yet start together, and later ones join with the first one's version
 * and shared settings. They are created with these even if their owner's spec has changed; otherwise, they would count
 * as up to date, and no rollout would apply the change.
 */
import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { BootstrapConfig, ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { isTrue } from '../../../../shared/plan/status/conditions.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';

/** Whether a machine has everything that it needs, but its launch is not decided yet, so that no instance can exist. */
export const awaitsCorrection = (
  { infrastructureMachines }: ClusterSnapshot,
  { metadata, status }: Machine,
): boolean => {
  const facts = infrastructureMachines.get(metadata.name)?.facts;
  if (metadata.deletionTimestamp || !facts || facts.decidedAt !== undefined || facts.mayHaveRun) return false;
  return facts.failed || !isTrue(status?.conditions, 'BootstrapConfigReady');
};

/** A machine that has started and is not being deleted. */
export const begunMachine = (snapshot: ClusterSnapshot, machines: readonly Machine[]): Machine | undefined =>
  machines.find((machine) => !machine.metadata.deletionTimestamp && !awaitsCorrection(snapshot, machine));

interface Begun {
  machine: Machine;
  config: BootstrapConfig | undefined;
}

/** The settings with which new machines must start; undefined if their owner's spec decides. */
export const begunWith = (
  snapshot: ClusterSnapshot,
  owner: ControlPlane,
  machines: readonly Machine[],
  configs: ReadonlyMap<string, BootstrapConfig>,
): Begun | undefined => {
  if (owner.status?.initialization?.controlPlaneInitialized) return undefined;
  const machine = begunMachine(snapshot, machines);
  return machine && { machine, config: configs.get(machine.metadata.name) };
};

export const machineLike = (begun: Begun | undefined, machine: Machine): Machine =>
  begun ? { ...machine, spec: { ...machine.spec, version: begun.machine.spec.version } } : machine;

/**
 * `wanted`, with the field `shared` from `begun`, because all machines of a control plane must have the same settings
 * there.
 */
export const withSharedOf = (begun: object | undefined, wanted: object, shared: string): object => {
  const { [shared]: _new, ...rest } = wanted as Record<string, unknown>;
  const before = (begun as Record<string, unknown> | undefined)?.[shared];
  return before === undefined ? rest : { ...rest, [shared]: before };
};

export const configLike = (
  begun: Begun | undefined,
  { upgradeTasks }: Distribution,
  config: BootstrapConfig,
): BootstrapConfig => {
  const shared = upgradeTasks?.joinsWith;
  if (!begun?.config || !shared) return config;
  const spec = withSharedOf(begun.config.spec, config.spec ?? {}, shared);
  const { spec: _spec, ...bare } = config;
  // An empty spec is omitted, because the kind refuses it.
  return { ...bare, ...(Object.keys(spec).length > 0 ? { spec } : {}) } as BootstrapConfig;
};
