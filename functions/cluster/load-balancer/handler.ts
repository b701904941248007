import { createBalancingGarbage } from '../../../shared/aws/balancing-garbage.ts';
import { createBuckets } from '../../../shared/aws/buckets.ts';
import { createClassicElb } from '../../../shared/aws/classic-elb.ts';
import { createClassicElbClient } from '../../../shared/aws/clients/classic-elb.ts';
import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createElbv2Client } from '../../../shared/aws/clients/elbv2.ts';
import { createS3Client } from '../../../shared/aws/clients/s3.ts';
import { createEc2Addresses } from '../../../shared/aws/ec2-addresses.ts';
import { createEc2Ownership } from '../../../shared/aws/ec2-ownership.ts';
import { createElbv2 } from '../../../shared/aws/elbv2.ts';
import { createBalancingMemory } from '../../../shared/aws/network-memory.ts';
import { makePerScope } from '../../../shared/aws/scope.ts';
import { readConfig } from '../../../shared/config.ts';
import { systemResolves } from '../../../shared/names.ts';
import { deletingUnlessUnusable } from '../../identity/report.ts';
import { runtimeScopeOf } from '../../identity/runtime-scope.ts';
import { makeSealedRuntime } from '../../sealed-runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { deleteLoadBalancer } from './delete-load-balancer.ts';
import { loadBalancer } from './load-balancer.ts';

const runtime = makeSealedRuntime(process.env);
const elbv2 = makePerScope((options) => createElbv2(createElbv2Client(options)));
const classicElb = makePerScope((options) => createClassicElb(createClassicElbClient(options)));
const garbage = makePerScope((options) =>
  createBalancingGarbage(createClassicElbClient(options), createElbv2Client(options)),
);
const addresses = makePerScope((options) => createEc2Addresses(createEc2Client(options)));
const ownership = makePerScope((options) => createEc2Ownership(createEc2Client(options)));
const buckets = makePerScope((options) => createBuckets(createS3Client(options)));
const { accountId } = readConfig(process.env, ['accountId']);
const balancingMemory = createBalancingMemory(runtime.clock);
const ports = { elbv2, balancingMemory, classicElb, garbage, addresses, ownership, buckets, resolves: systemResolves };
const deps = { ...runtime, scopeOf: runtimeScopeOf(runtime, process.env), ...ports, accountId };

export const handler = makeStepHandler(
  'cluster-load-balancer',
  {
    loadBalancer: loadBalancer(deps),
    deleteLoadBalancer: deletingUnlessUnusable(deps, deleteLoadBalancer(deps)),
  },
  runtime,
);
