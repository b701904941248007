import { isDeepStrictEqual } from 'node:util';
import type { Distribution } from '../../../shared/distributions/distribution.ts';
import type { BootstrapConfig, ControlPlane } from '../../../shared/distributions/objects.ts';
import { kinds, type Machine } from '../../../shared/kinds/index.ts';
import { readFrozenLaunch } from '../../../shared/plan/launch/frozen.ts';
import { isTrue } from '../../../shared/plan/status/conditions.ts';
import type { ClusterSnapshot } from '../snapshot.ts';
import type { ObjectsDependencies } from './dependencies.ts';
import { readConfigs } from './up-to-date.ts';

/** Whether a machine has all that it starts from and still no launch was decided, so that no instance can exist. */
const awaitsCorrection = ({ awsMachines }: ClusterSnapshot, { metadata, status }: Machine): boolean => {
  const infrastructure = awsMachines.get(metadata.name);
  if (metadata.deletionTimestamp || !infrastructure || readFrozenLaunch(infrastructure)) return false;
  const failed = infrastructure.status?.conditions?.some(({ reason }) => reason === 'InstanceProvisionFailed');
  return failed === true || !isTrue(status?.conditions, 'BootstrapConfigReady');
};

const correct = async (
  { objects }: ObjectsDependencies,
  owner: ControlPlane,
  distribution: Distribution,
  machine: Machine,
  config: BootstrapConfig | undefined,
): Promise<void> => {
  const namespace = machine.metadata.namespace ?? '';
  const { version } = owner.spec;
  if (machine.spec.version !== version) {
    await objects.mutate(kinds.machine, { namespace, name: machine.metadata.name }, (current) => ({
      ...current,
      spec: { ...current.spec, version },
    }));
  }
  const wanted = distribution.configSpecOf(owner) ?? {};
  if (!config || isDeepStrictEqual(config.spec ?? {}, wanted)) return;
  await objects.mutate(distribution.config, { namespace, name: config.metadata.name }, ({ spec: _, ...current }) => ({
    ...current,
    // An empty spec is no spec: the kind refuses it.
    ...(Object.keys(wanted).length > 0 ? { spec: structuredClone(wanted) } : {}),
  }));
};

/**
 * Gives control plane machines that could not be launched so far what their owner says now. A control plane that never
 * started cannot be rolled out, so a mistake that is corrected where it was made would keep it from starting for ever.
 * The AWSMachine stays as it is: its spec cannot be changed.
 */
export const correctMachines = async (
  deps: ObjectsDependencies,
  snapshot: ClusterSnapshot,
  machines: readonly Machine[],
): Promise<void> => {
  const { controlPlane, distribution } = snapshot;
  const waiting = machines.filter((machine) => awaitsCorrection(snapshot, machine));
  if (!controlPlane || !distribution || waiting.length === 0) return;
  const configs = await readConfigs(deps, snapshot);
  await Promise.all(
    waiting.map((machine) => correct(deps, controlPlane, distribution, machine, configs.get(machine.metadata.name))),
  );
};
