import type { AWSCluster, AWSMachine, Machine } from '../../kinds/index.ts';

/** Where an instance goes, or why it can go nowhere. */
export type SubnetChoice = { id: string; zone: string | undefined } | { problem: string };

/**
 * The subnet of an instance by upstream's rule: the given id, else one in the machine's failure domain (public only with
 * `publicIP`), else the first private one. `failureDomain` of a machine without one: the machine's place in its cluster
 * decides, so that workers spread over the zones.
 */
export const chooseSubnet = (machine: Machine, infrastructure: AWSMachine, cluster: AWSCluster): SubnetChoice => {
  const subnets = cluster.spec.network?.subnets ?? [];
  const given = infrastructure.spec.subnet?.id;
  if (given) {
    const known = subnets.find((subnet) => subnet.id === given || subnet.resourceID === given);
    return { id: known?.resourceID ?? given, zone: known?.availabilityZone };
  }
  if (infrastructure.spec.subnet?.filters?.length) {
    return { problem: 'spec.subnet.filters is not supported yet; use spec.subnet.id or a failure domain' };
  }
  const isPublic = infrastructure.spec.publicIP === true;
  const fitting = subnets
    .filter((subnet) => (subnet.isPublic === true) === isPublic)
    .sort((a, b) => ((a.availabilityZone ?? '') < (b.availabilityZone ?? '') ? -1 : 1));
  const wanted = machine.spec.failureDomain;
  const chosen = wanted
    ? fitting.find(({ availabilityZone }) => availabilityZone === wanted)
    : spread(machine, fitting);
  const id = chosen?.resourceID ?? chosen?.id;
  if (id) return { id, zone: chosen?.availabilityZone };
  const kind = isPublic ? 'public' : 'private';
  return { problem: `the cluster has no ${kind} subnet${wanted ? ` in failure domain ${wanted}` : ''}` };
};

/** The first subnet for control planes' sake of upstream's rule would crowd one zone; the name decides instead. */
const spread = <T>(machine: Machine, subnets: readonly T[]): T | undefined => {
  const sum = [...machine.metadata.name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return subnets[sum % Math.max(1, subnets.length)];
};
