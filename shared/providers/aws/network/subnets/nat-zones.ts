import type { SubnetSpec } from '../../../../kinds/index.ts';
import { isCoreSubnet } from './kinds.ts';

/** The zones that get a NAT gateway each in one of the cluster's VPCs: those with a private and a public subnet. */
export const natZones = (subnets: readonly SubnetSpec[]): string[] => {
  const core = subnets.filter(isCoreSubnet);
  const zonesOf = (isPublic: boolean) =>
    core
      .filter((one) => (one.isPublic ?? false) === isPublic)
      .flatMap(({ availabilityZone }) => availabilityZone || []);
  const outlets = new Set(zonesOf(true));
  return [...new Set(zonesOf(false))].filter((zone) => outlets.has(zone));
};
