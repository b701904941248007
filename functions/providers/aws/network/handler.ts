import { createAutoScalingClient } from '../../../../shared/aws/clients/auto-scaling.ts';
import { createClassicElbClient } from '../../../../shared/aws/clients/classic-elb.ts';
import { createEc2Client, createEc2Writer } from '../../../../shared/aws/clients/ec2.ts';
import { createElbv2Client } from '../../../../shared/aws/clients/elbv2.ts';
import { createIamClient } from '../../../../shared/aws/clients/iam.ts';
import { createKmsClient } from '../../../../shared/aws/clients/kms.ts';
import { createServiceQuotasClient } from '../../../../shared/aws/clients/service-quotas.ts';
import { readReach } from '../../../../shared/config.ts';
import { createAccountFacts } from '../../../../shared/providers/aws/api/account-facts.ts';
import { createNetworkCache } from '../../../../shared/providers/aws/api/network-cache.ts';
import { rememberCounts } from '../../../../shared/providers/aws/api/remembered-counts.ts';
import { createEc2Network } from '../../../../shared/providers/aws/network/api.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import { makeSealedRuntime } from '../../../sealed-runtime.ts';
import { makeStepHandler } from '../../../step.ts';
import { deletingUnlessUnusable, unlessUnusable } from '../identity/report.ts';
import { runtimeScopeOf } from '../identity/runtime-scope.ts';
import { deleteNetwork, letGoUntouched } from './delete-network.ts';
import { natGateways } from './nat-gateways.ts';
import { network } from './network.ts';

const runtime = makeSealedRuntime(process.env);
const ec2 = makePerScope((options) => createEc2Network(createEc2Client(options), createEc2Writer(options)));
const account = makePerScope((options) => {
  const facts = createAccountFacts({
    ec2: createEc2Client(options),
    elbv2: createElbv2Client(options),
    elb: createClassicElbClient(options),
    iam: createIamClient(options),
    kms: createKmsClient(options),
    quotas: createServiceQuotasClient(options),
    autoScaling: createAutoScalingClient(options),
  });
  return rememberCounts(facts, runtime.clock);
});
const networkCache = createNetworkCache(runtime.clock);
const reachesPrivate = runtime.config.functionsInVpc === 'true' || readReach(process.env).loopback;
const scopeOf = runtimeScopeOf(runtime, process.env);
const deps = { ...runtime, scopeOf, ec2, account, networkCache, reachesPrivate };

export const handler = makeStepHandler(
  'cluster-network',
  {
    foundation: unlessUnusable(deps, network(deps), { ready: false }),
    egress: natGateways(deps),
    removeFoundation: deletingUnlessUnusable(deps, deleteNetwork(deps), letGoUntouched(deps)),
  },
  runtime,
);
