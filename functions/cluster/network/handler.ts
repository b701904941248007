import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createEc2Network } from '../../../shared/aws/ec2-network.ts';
import { makePerScope } from '../../../shared/aws/scope.ts';
import { controllerScopeOf } from '../../aws-scope.ts';
import { makeRuntime } from '../../runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { deleteNetwork } from './delete-network.ts';
import { natGateways } from './nat-gateways.ts';
import { network } from './network.ts';

const runtime = makeRuntime(process.env);
const ec2 = makePerScope((options) =>
  createEc2Network(createEc2Client(options), createEc2Client({ ...options, maxAttempts: 1 })),
);
const deps = { ...runtime, scopeOf: controllerScopeOf, ec2 };

export const handler = makeStepHandler(
  'cluster-network',
  { network: network(deps), natGateways: natGateways(deps), deleteNetwork: deleteNetwork(deps) },
  runtime,
);
