import type { Fact, Facts, Need, RunningInstances, WantedMachines, Wants } from './model.ts';
import { NAT_GATEWAYS_AT_LEAST, QUOTAS, type Quota, vcpuQuota } from './quotas.ts';

const usedVcpus = (running: Facts['running'], { code }: Quota): Fact<number> | undefined => {
  if (running === undefined || 'unknown' in running) return running;
  const counted = running.value.filter(
    ({ instanceType, isSpot }: RunningInstances) => vcpuQuota(instanceType, isSpot)?.code === code,
  );
  return { value: counted.reduce((sum, { vcpus }) => sum + vcpus, 0) };
};

const quotaOf = ({ instanceTypes, isSpot, countsVcpus }: WantedMachines): Quota | undefined =>
  countsVcpus ? vcpuQuota(instanceTypes[0] ?? '', isSpot) : undefined;

/** The quotas that must be queried; they depend only on the needs. */
export const quotasOf = ({ network, machines }: Wants): Quota[] => {
  const shared = [
    ...(network?.vpc ? [QUOTAS.vpcs] : []),
    ...(network && network.addresses > 0 ? [QUOTAS.addresses] : []),
    ...(network && network.networkLoadBalancers > 0 ? [QUOTAS.loadBalancers] : []),
    ...(network && network.classicLoadBalancers > 0 ? [QUOTAS.classicLoadBalancers] : []),
  ];
  const all = [...shared, ...machines.filter(({ count }) => count > 0).flatMap((one) => quotaOf(one) ?? [])];
  return [...new Map(all.map((quota) => [quota.code, quota])).values()];
};

/** Whether there may be too many NAT gateways in a zone, so that the quota must be queried. */
export const mayLackNatGateways = (used: Facts['natGateways']): boolean =>
  used !== undefined && 'value' in used && used.value >= NAT_GATEWAYS_AT_LEAST;

const natNeeds = ({ natGateways: used }: Facts): Need[] =>
  mayLackNatGateways(used) ? [{ quota: QUOTAS.natGateways, needed: 1, used }] : [];

/** How much of each quota the cluster needs and how much is used. */
export const needsOf = (wants: Wants, facts: Facts): Need[] => {
  const { network, machines } = wants;
  const types = facts.types && 'value' in facts.types ? facts.types.value : undefined;
  const vcpus = (code: string): number =>
    machines
      .filter((one) => quotaOf(one)?.code === code)
      .reduce((sum, { count, instanceTypes }) => sum + count * (types?.get(instanceTypes[0] ?? '')?.vcpus ?? 0), 0);
  const needs = quotasOf(wants).map((quota): Need => {
    if (quota.code === QUOTAS.vpcs.code) return { quota, needed: 1, used: facts.vpcs };
    if (quota.code === QUOTAS.addresses.code) return { quota, needed: network?.addresses ?? 0, used: facts.addresses };
    if (quota.code === QUOTAS.loadBalancers.code)
      return { quota, needed: network?.networkLoadBalancers ?? 0, used: facts.networkLoadBalancers };
    if (quota.code === QUOTAS.classicLoadBalancers.code)
      return { quota, needed: network?.classicLoadBalancers ?? 0, used: facts.classicLoadBalancers };
    return { quota, needed: vcpus(quota.code), used: usedVcpus(facts.running, quota) };
  });
  return [...needs, ...natNeeds(facts)];
};
