/** The key material and the kubeconfig of a cluster whose control plane Machines belong to no control plane object. */
import type { Distribution } from '../../../../shared/distributions/distribution.ts';
import { distributionIn } from '../../../../shared/distributions/registry.ts';
import type { BootstrapConfig } from '../../../../shared/kinds/contract-objects.ts';
import { type Cluster, kinds, type Machine } from '../../../../shared/kinds/index.ts';
import { keyOf } from '../../../../shared/kube-api/object.ts';
import { isInitHolder } from '../../../../shared/plan/control-plane/initialization.ts';
import { byAge } from '../../../../shared/plan/control-plane/placement.ts';
import { isStandalone } from '../../../../shared/plan/control-plane/standalone.ts';
import { isControlPlaneMachine } from '../../../../shared/plan/labels.ts';
import { withBootstrapProblem } from '../../../../shared/plan/machines/bootstrap-status.ts';
import { controllerReference, ownerReference } from '../../../../shared/plan/machines/desired.ts';
import { endInit, readInitHolder } from '../../../machine/objects/init-lock.ts';
import { standaloneDistribution } from '../../probed.ts';
import type { ObjectsDependencies } from '../dependencies.ts';
import { ensurePair } from './key-pair.ts';
import { ensureKubeconfigOf } from './kubeconfig.ts';

/** The configuration of a machine that can initialize a control plane without an object. */
interface Initial {
  config: BootstrapConfig;
  distribution: Distribution;
}

const hasBegun = (machines: readonly Machine[]): boolean => machines.some(({ spec }) => spec.providerID !== undefined);

const readControlPlaneMachines = async (
  { objects }: ObjectsDependencies,
  { metadata: { namespace = '', name } }: Cluster,
): Promise<Machine[]> => (await objects.listOfCluster(kinds.machine, namespace, name)).filter(isControlPlaneMachine);

/** The configuration of the machine that holds the init lock, or else of the oldest machine with a configuration. */
const findInitial = async (
  { objects }: ObjectsDependencies,
  cluster: Cluster,
  machines: readonly Machine[],
): Promise<Initial | undefined> => {
  const live = machines.filter(({ metadata }) => !metadata.deletionTimestamp);
  if (live.length === 0) return undefined;
  const holder = await readInitHolder(objects, cluster);
  const isHolder = ({ metadata }: Machine): number => Number(isInitHolder(holder, metadata));
  const { namespace = '' } = cluster.metadata;
  for (const { spec } of live.toSorted((a, b) => isHolder(b) - isHolder(a) || byAge(a, b))) {
    const { configRef } = spec.bootstrap;
    const distribution = distributionIn(cluster, 'config', configRef);
    if (!configRef || !distribution?.standalone) continue;
    const config = await objects.get(distribution.config, { namespace, name: configRef.name });
    if (config) return { config, distribution };
  }
  return undefined;
};

/**
 * As upstream's bootstrap controller does, reads or generates the key material before the first machine of such a
 * control plane is launched. False if a user's Secret is invalid, which the configuration reports. The Secrets also
 * belong to the Cluster, so that they stay when the machine is replaced.
 */
export const ensureStandalonePairs = async (deps: ObjectsDependencies, cluster: Cluster): Promise<boolean> => {
  if (!isStandalone(cluster) || cluster.status?.initialization?.controlPlaneInitialized) return true;
  const machines = await readControlPlaneMachines(deps, cluster);
  if (hasBegun(machines)) return true;
  const initial = await findInitial(deps, cluster, machines);
  const { config, distribution } = initial ?? {};
  if (!config || !distribution?.standalone) return true;
  const holder = {
    owners: [ownerReference(cluster), controllerReference(config)],
    isInUse: async () => hasBegun(await readControlPlaneMachines(deps, cluster)),
  };
  const wanted = distribution.standalone.authorities(config);
  const problems = await Promise.all(wanted.map((authority) => ensurePair(deps, cluster, authority, holder)));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length === 0) return true;
  const message = found.map((line) => `* ${line}`).join('\n');
  const now = deps.clock.now();
  await deps.objects.mutate(distribution.config, keyOf(config), (current) =>
    withBootstrapProblem(current, { in: 'certificates', message }, now),
  );
  return false;
};

/** The kubeconfig of such a cluster; it belongs to the Cluster, as in upstream. */
export const ensureStandaloneKubeconfig = async (
  deps: ObjectsDependencies,
  cluster: Cluster,
  machines: readonly Machine[],
): Promise<void> => {
  const distribution = standaloneDistribution(cluster, machines);
  if (!distribution) return;
  await ensureKubeconfigOf(deps, cluster, {
    distribution,
    owner: ownerReference(cluster),
    initialized: cluster.status?.initialization?.controlPlaneInitialized === true,
  });
};

/** Ends the init lock of such a cluster when it is about to be reported as initialized. */
export const endStandaloneInit = async (
  { objects }: Pick<ObjectsDependencies, 'objects'>,
  { before, after }: { before: Cluster; after: Cluster },
): Promise<void> => {
  const isInitialized = ({ status }: Cluster) => status?.initialization?.controlPlaneInitialized === true;
  if (isStandalone(before) && !isInitialized(before) && isInitialized(after)) await endInit(objects, before);
};
