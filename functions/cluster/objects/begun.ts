/**
 * Machines of a control plane that is not formed yet start together, and those that come later join with what the first
 * has begun with: its version and what all of them share. They are made so, whatever their owner says in the meantime;
 * otherwise they would be taken for up to date, and no rollout would bring the rest.
 */
import type { Distribution } from '../../../shared/distributions/distribution.ts';
import type { BootstrapConfig, ControlPlane } from '../../../shared/kinds/contract-objects.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import { isTrue } from '../../../shared/plan/status/conditions.ts';
import type { ClusterSnapshot } from '../snapshot.ts';

/** Whether a machine has all that it starts from and still no launch was decided, so that no instance can exist. */
export const awaitsCorrection = (
  { infrastructureMachines }: ClusterSnapshot,
  { metadata, status }: Machine,
): boolean => {
  const facts = infrastructureMachines.get(metadata.name)?.facts;
  if (metadata.deletionTimestamp || !facts || facts.decidedAt !== undefined || facts.mayHaveRun) return false;
  return facts.failed || !isTrue(status?.conditions, 'BootstrapConfigReady');
};

/** A machine that has begun and stays. */
export const begunMachine = (snapshot: ClusterSnapshot, machines: readonly Machine[]): Machine | undefined =>
  machines.find((machine) => !machine.metadata.deletionTimestamp && !awaitsCorrection(snapshot, machine));

interface Begun {
  machine: Machine;
  config: BootstrapConfig | undefined;
}

/** What new machines have to start like; undefined where they start as their owner says. */
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

/** `wanted` with what machines of a control plane share, the field `shared`, as `begun` has it. */
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
  // An empty spec is no spec: the kind refuses it.
  return { ...bare, ...(Object.keys(spec).length > 0 ? { spec } : {}) } as BootstrapConfig;
};
