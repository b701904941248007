import { createClassicElbClient } from '../../../../shared/aws/clients/classic-elb.ts';
import { createEc2Client } from '../../../../shared/aws/clients/ec2.ts';
import { createElbv2Client } from '../../../../shared/aws/clients/elbv2.ts';
import { createS3Client } from '../../../../shared/aws/clients/s3.ts';
import { readConfig } from '../../../../shared/config.ts';
import { systemResolves } from '../../../../shared/names.ts';
import { createBalancingCache } from '../../../../shared/providers/aws/api/balancing-cache.ts';
import { createBalancingGarbage } from '../../../../shared/providers/aws/api/balancing-garbage.ts';
import { createBuckets } from '../../../../shared/providers/aws/api/buckets.ts';
import { connectEc2Addresses } from '../../../../shared/providers/aws/api/ec2-addresses.ts';
import { createEc2Ownership } from '../../../../shared/providers/aws/api/ec2-ownership.ts';
import { createElbv2 } from '../../../../shared/providers/aws/load-balancer/api.ts';
import { createClassicElb } from '../../../../shared/providers/aws/load-balancer/classic/api.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { makeSealedRuntime } from '../../../sealed-runtime.ts';
import { makeStepHandler } from '../../../step.ts';
import { deletingUnlessUnusable } from '../identity/report.ts';
import { runtimeScopeOf } from '../identity/runtime-scope.ts';
import { deleteLoadBalancer } from './delete-load-balancer.ts';
import { loadBalancer } from './load-balancer.ts';

const runtime = makeSealedRuntime(process.env);
const elbv2 = makePerScope((options) => createElbv2(createElbv2Client(options)));
const classicElb = makePerScope((options) => createClassicElb(createClassicElbClient(options)));
const garbage = makePerScope((options) =>
  createBalancingGarbage(createClassicElbClient(options), createElbv2Client(options)),
);
const addresses = makePerScope(connectEc2Addresses);
const ownership = makePerScope((options) => createEc2Ownership(createEc2Client(options)));
const buckets = makePerScope((options) => createBuckets(createS3Client(options)));
const { accountId } = readConfig(process.env, ['accountId']);
const balancingCache = createBalancingCache(runtime.clock);
const ports = { elbv2, balancingCache, classicElb, garbage, addresses, ownership, buckets, resolves: systemResolves };
const deps = { ...runtime, scopeOf: runtimeScopeOf(runtime, process.env), ...ports, accountId };

export const handler = makeStepHandler(
  'cluster-load-balancer',
  {
    endpoint: loadBalancer(deps),
    removeEndpoint: deletingUnlessUnusable(deps, deleteLoadBalancer(deps)),
  },
  runtime,
);
