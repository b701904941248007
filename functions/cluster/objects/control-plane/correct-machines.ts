import { isDeepStrictEqual } from 'node:util';
import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import type { BootstrapConfig, ControlPlane } from '../../../../shared/kinds/contract-objects.ts';
import { kinds, type Machine } from '../../../../shared/kinds/index.ts';
import type { ClusterSnapshot } from '../../snapshot.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { awaitsCorrection, begunMachine, withSharedOf } from '../machines/begun.ts';
import { readConfigs } from './up-to-date.ts';

interface Correction {
  owner: ControlPlane;
  distribution: Distribution;
  /** Whether another machine has already started with the shared settings. */
  begun: boolean;
}

const wantedSpec = ({ owner, distribution, begun }: Correction, config: BootstrapConfig): object => {
  const wanted = distribution.configSpecOf(owner) ?? {};
  const shared = distribution.upgradeTasks?.joinsWith;
  return begun && shared ? withSharedOf(config.spec, wanted, shared) : wanted;
};

const correct = async (
  { objects }: ObjectsDependencies,
  correction: Correction,
  machine: Machine,
  config: BootstrapConfig | undefined,
): Promise<void> => {
  const namespace = machine.metadata.namespace ?? '';
  const { version } = correction.owner.spec;
  if (machine.spec.version !== version && !correction.begun) {
    await objects.mutate(kinds.machine, { namespace, name: machine.metadata.name }, (current) => ({
      ...current,
      spec: { ...current.spec, version },
    }));
  }
  if (!config) return;
  const wanted = wantedSpec(correction, config);
  if (isDeepStrictEqual(config.spec ?? {}, wanted)) return;
  await objects.mutate(
    correction.distribution.config,
    { namespace, name: config.metadata.name },
    ({ spec: _, ...current }) => ({
      ...current,
      // An empty spec is omitted, because the kind refuses it.
      ...(Object.keys(wanted).length > 0 ? { spec: structuredClone(wanted) } : {}),
    }),
  );
};

/**
 * Updates control plane machines that could not be launched yet to their owner's current spec. A control plane that
 * never started cannot be rolled out, so an error would otherwise prevent its start even after it was corrected. The
 * infrastructure object stays unchanged, because its spec is immutable. Once one machine has started, the others keep
 * its version and the shared settings: they would join with these in any case and count as up to date; a rollout
 * applies the change.
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
  const begun = begunMachine(snapshot, machines) !== undefined;
  const correction = { owner: controlPlane, distribution, begun };
  await Promise.all(waiting.map((machine) => correct(deps, correction, machine, configs.get(machine.metadata.name))));
};
