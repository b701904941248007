/** A cluster whose machines fetch their Ignition configs from buckets, and whose load balancers change. */

import { CLUSTER, DEPLOYMENT, flatcarObjects, type Sizes } from '../user.ts';
import { healthChecks } from './health-checks.ts';
import type { Step } from './step.ts';

/** A second load balancer for the API servers, and an additional port of the first one. */
export const SECOND = { name: 'inner', scheme: 'internal', loadBalancerType: 'nlb' };
export const FURTHER = { port: 8132 };
/** The bucket from which machines that are created later fetch their configs. */
const OTHER_BUCKET = 'cluster-api-provider-aws-flatcar-other';

/** Waits for these numbers of load balancers and listeners. */
const balanced =
  (balancers: number, listeners: number): NonNullable<Step['lacks']> =>
  async (_, { account }) => {
    const elb = account.elbv2();
    if (elb.loadBalancers.size !== balancers) return `there are ${elb.loadBalancers.size} load balancers`;
    return elb.listeners.size === listeners ? undefined : `there are ${elb.listeners.size} listeners`;
  };

export const clusterOfFlatcar = (sizes: Sizes): Step[] => [
  {
    name: 'create a cluster of Flatcar',
    sizes,
    act: async (user) => {
      for (const object of [...flatcarObjects(sizes), ...healthChecks()]) await user.create(object);
    },
    lacks: balanced(1, 1),
  },
  {
    name: 'add a load balancer and a listener',
    sizes,
    act: (user) =>
      user.patch('AWSCluster', CLUSTER, {
        spec: {
          controlPlaneLoadBalancer: { additionalListeners: [FURTHER] },
          secondaryControlPlaneLoadBalancer: SECOND,
        },
      }),
    lacks: balanced(2, 3),
  },
  {
    name: 'remove them, use another bucket, and roll the workers',
    sizes,
    act: async (user) => {
      await user.patch('AWSCluster', CLUSTER, {
        spec: {
          controlPlaneLoadBalancer: { additionalListeners: null },
          secondaryControlPlaneLoadBalancer: null,
          s3Bucket: { name: OTHER_BUCKET },
        },
      });
      await user.patch('MachineDeployment', DEPLOYMENT, { spec: { rollout: { after: new Date().toISOString() } } });
    },
    lacks: balanced(1, 1),
  },
];
