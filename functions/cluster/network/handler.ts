import { createEc2Client } from '../../../shared/aws/clients/ec2.ts';
import { createEc2Network, type Ec2Network } from '../../../shared/aws/ec2-network.ts';
import { makeRuntime } from '../../runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { deleteNetwork } from './delete-network.ts';
import { natGateways } from './nat-gateways.ts';
import { network } from './network.ts';

const runtime = makeRuntime(process.env);

const networks = new Map<string | undefined, Ec2Network>();
const ec2 = (region: string | undefined): Ec2Network => {
  const known = networks.get(region);
  if (known) return known;
  const made = createEc2Network(createEc2Client({ region }), createEc2Client({ region, maxAttempts: 1 }));
  networks.set(region, made);
  return made;
};

const deps = { ...runtime, ec2 };

export const handler = makeStepHandler(
  'cluster-network',
  { network: network(deps), natGateways: natGateways(deps), deleteNetwork: deleteNetwork(deps) },
  runtime,
);
