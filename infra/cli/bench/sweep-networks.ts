/** Networks and load balancers for the clusters of a sweep, created by the real steps. */
import { controllerScopeOf } from '../../../functions/providers/aws/aws-scope.ts';
import { loadBalancer } from '../../../functions/providers/aws/load-balancer/load-balancer.ts';
import { natGateways } from '../../../functions/providers/aws/network/nat-gateways.ts';
import { network } from '../../../functions/providers/aws/network/network.ts';
import type { Clock } from '../../../shared/clock.ts';
import { kinds } from '../../../shared/kinds/index.ts';
import { SKIP_ANNOTATION } from '../../../shared/kinds/rules/aws/wishes.ts';
import type { ObjectClient } from '../../../shared/kube-api/storage/client.ts';
import { createBalancingCache } from '../../../shared/providers/aws/api/balancing-cache.ts';
import { createNetworkCache } from '../../../shared/providers/aws/api/network-cache.ts';
import type { Elbv2 } from '../../../shared/providers/aws/load-balancer/api.ts';
import type { Ec2Network } from '../../../shared/providers/aws/network/api.ts';
import { systemRandom } from '../../../shared/random.ts';
import type { ConvergeInput } from '../../../shared/work/payloads.ts';
import { asTask } from '../../local/as-task.ts';

/** The annotation of the sweep's clusters: it skips the checks of the account, which has room for all clusters. */
export const ROOMY = { [SKIP_ANNOTATION]: 'all' };

/** A clock that advances only while something waits. */
export const makeIdleClock = (): Clock => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  return {
    now: () => new Date(now),
    sleep: async (milliseconds) => {
      now += milliseconds;
    },
  };
};

export interface Makers {
  objects: ObjectClient;
  clock: Clock;
  ec2: Ec2Network;
  elbv2: Elbv2;
}

const never = (): never => {
  throw new Error('no cluster of a sweep asks for this');
};

/** Creates the network and the load balancer of a cluster, as the first passes do. */
export const makeNetworks = ({ objects, clock, ec2, elbv2 }: Makers) => {
  const memories = { networkCache: createNetworkCache(clock), balancingCache: createBalancingCache(clock) };
  const common = { objects, clock, random: systemRandom, scopeOf: controllerScopeOf, ...memories };
  const balancing = { elbv2: () => elbv2, resolves: async () => true, accountId: '000000000000' };
  const deps = {
    ...{ ...common, ...balancing, ec2: () => ec2 },
    ...{ account: never, classicElb: never, garbage: never, buckets: never, addresses: never, ownership: never },
  };
  const steps = [network(deps), loadBalancer(deps), natGateways(deps)];
  return async (name: string): Promise<void> => {
    const key = { namespace: 'default', name };
    const uid = (await objects.get(kinds.cluster, key))?.metadata.uid ?? '';
    const input: ConvergeInput = { cluster: { ...key, uid }, wanted: 1, holder: `${uid}-1` };
    for (const step of steps) {
      const { ready } = await asTask(clock, () => step(input));
      if (!ready) throw new Error(`the infrastructure of ${name} could not be made`);
    }
  };
};
