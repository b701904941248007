import { distributionOf } from '../../../shared/distributions/registry.ts';
import type { Cluster } from '../../../shared/kinds/cluster/schema.ts';
import { kinds, type Machine, type MachineDeployment } from '../../../shared/kinds/index.ts';
import type { MachinePool } from '../../../shared/kinds/machine-pool/schema.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../../shared/kube-api/resource.ts';
import { type AnyObject, TOPOLOGY_LABEL } from '../../../shared/plan/topology/objects.ts';
import { controlPlaneState } from '../../../shared/plan/topology/upgrade/control-plane-state.ts';
import { isDeploymentUpgrading, isPoolUpgrading } from '../../../shared/plan/topology/upgrade/deployment-state.ts';
import type { Reads } from './classes.ts';
import type { ReadOutside } from './read-outside.ts';

const bare = (version: string): string => version.replace(/^v/, '');

const listOfCluster = async <T extends KubeObject>(
  reads: Reads,
  resource: ResourceDefinition<T>,
  { metadata }: Cluster,
): Promise<T[]> => {
  const items: KubeObject[] = [];
  let token: string | undefined;
  do {
    const page = await reads.list(resource, {
      namespace: metadata.namespace,
      cluster: metadata.name,
      continue: token,
    });
    items.push(...page.items);
    token = page.continue;
  } while (token !== undefined);
  return items as T[];
};

/** The reads for a version change; `readOutside` reads control planes of external providers. */
interface Sources {
  reads: Reads;
  readOutside: ReadOutside;
}

const readControlPlane = async (
  { reads, readOutside }: Sources,
  { metadata: { namespace = '' }, spec: { controlPlaneRef: ref } }: Cluster,
): Promise<KubeObject | undefined> => {
  if (!ref) return undefined;
  const distribution = distributionOf('controlPlane', ref);
  return distribution ? reads.get(distribution.controlPlane, namespace, ref.name) : readOutside(ref, namespace);
};

const ofControlPlane = async (sources: Sources, cluster: Cluster, old: string): Promise<string[]> => {
  const found = await readControlPlane(sources, cluster);
  if (!found) return ['failed to check if control plane is upgrading: failed to get control plane object'];
  const { version, isProvisioning, isUpgrading } = controlPlaneState(found as AnyObject);
  if (bare(version) !== bare(old)) {
    const is = `control plane version ${bare(version)}`;
    return [`Cluster.spec.topology.version ${bare(old)} was not propagated to control plane yet (${is})`];
  }
  if (isProvisioning) return ['control plane is currently provisioning'];
  return isUpgrading ? ['control plane is still completing a previous upgrade'] : [];
};

/** The objects of a kind that the cluster's topology has created. */
const listManaged = async <T extends KubeObject>(
  reads: Reads,
  resource: ResourceDefinition<T>,
  cluster: Cluster,
): Promise<T[]> =>
  (await listOfCluster(reads, resource, cluster)).filter(
    ({ metadata }) => TOPOLOGY_LABEL.owned in (metadata.labels ?? {}),
  );

/** Workers with another version than the cluster had, or with machines of another version. */
const ofWorkers = async (reads: Reads, cluster: Cluster, old: string): Promise<string[]> => {
  const [deployments, pools] = await Promise.all([
    listManaged<MachineDeployment>(reads, kinds.machineDeployment, cluster),
    listManaged<MachinePool>(reads, kinds.machinePool, cluster),
  ]);
  if (deployments.length === 0 && pools.length === 0) return [];
  const machines = await listOfCluster<Machine>(reads, kinds.machine, cluster);
  const isBehind = ({ spec }: MachineDeployment | MachinePool): boolean =>
    bare(spec.template.spec.version ?? '') !== bare(old);
  const behind = [
    { of: 'MachineDeployments', late: deployments.filter((it) => isBehind(it) || isDeploymentUpgrading(it, machines)) },
    { of: 'MachinePools', late: pools.filter((it) => isBehind(it) || isPoolUpgrading(it, machines)) },
  ];
  return behind
    .filter(({ late }) => late.length > 0)
    .map(({ of, late }) => {
      const names = late.map(({ metadata }) => metadata.name).join(', ');
      return `there are still ${of} completing a previous upgrade: [${names}]`;
    });
};

/** Which parts of a cluster have not reached the previous version yet. */
export const hindrancesOf = async (sources: Sources, cluster: Cluster, old: string): Promise<readonly string[]> =>
  (await Promise.all([ofControlPlane(sources, cluster, old), ofWorkers(sources.reads, cluster, old)])).flat();
