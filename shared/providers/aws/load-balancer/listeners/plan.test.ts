import { describe, expect, it } from 'vitest';
import { planLoadBalancing } from '../plan.ts';
import { awsCluster, balancer, CLUSTER, desire, group, listener } from '../test-load-balancing.ts';

/** The plan for these additional listeners with an API server on `apiServerPort`; everything else is as desired. */
const planFor = (ports: number[], apiServerPort?: number) => {
  const { controlPlaneLoadBalancer } = awsCluster().spec;
  const additionalListeners = ports.map((port) => ({ port }));
  const desired = desire(
    { controlPlaneLoadBalancer: { ...controlPlaneLoadBalancer, additionalListeners } },
    apiServerPort,
  );
  const groups = desired.listeners.map(({ targetGroup: { names, port, healthCheck } }) =>
    group(names[0], undefined, { port, healthCheck }),
  );
  return planLoadBalancing(CLUSTER, desired, { loadBalancer: balancer(), targetGroups: groups, listeners: [listener] });
};

describe('listeners of the same port', () => {
  const own = (port: number) =>
    `spec.controlPlaneLoadBalancer.additionalListeners has port ${port}, which is the API's own (spec.clusterNetwork.apiServerPort of the Cluster, by default 6443): remove it from the list`;

  it.each([
    { reason: "the API's default port", ports: [8132, 6443], apiPort: undefined, message: own(6443) },
    { reason: "the port of this cluster's API", ports: [443], apiPort: 443, message: own(443) },
    {
      reason: 'two additional listeners',
      ports: [8132, 8132],
      apiPort: undefined,
      message: 'spec.controlPlaneLoadBalancer.additionalListeners has port 8132 more than once',
    },
  ])('are a problem, and nothing is changed: $reason', ({ ports, apiPort, message }) => {
    expect(planFor(ports, apiPort)).toEqual({ actions: [], waiting: [], problem: { message } });
  });

  it('are no problem if the API is reached at another port', () => {
    expect(planFor([6443], 443).problem).toBeUndefined();
  });
});
