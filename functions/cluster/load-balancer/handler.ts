import { createElbv2Client } from '../../../shared/aws/clients/elbv2.ts';
import { createElbv2, type Elbv2 } from '../../../shared/aws/elbv2.ts';
import { makeRuntime } from '../../runtime.ts';
import { makeStepHandler } from '../../step.ts';
import { deleteLoadBalancer } from './delete-load-balancer.ts';
import { loadBalancer } from './load-balancer.ts';

const runtime = makeRuntime(process.env);

const known = new Map<string | undefined, Elbv2>();
const elbv2 = (region: string | undefined): Elbv2 => {
  const made = known.get(region) ?? createElbv2(createElbv2Client({ region }));
  known.set(region, made);
  return made;
};

const deps = { ...runtime, elbv2 };

export const handler = makeStepHandler(
  'cluster-load-balancer',
  { loadBalancer: loadBalancer(deps), deleteLoadBalancer: deleteLoadBalancer(deps) },
  runtime,
);
