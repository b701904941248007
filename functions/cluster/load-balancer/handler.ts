import { type Buckets, createBuckets } from '../../../shared/aws/buckets.ts';
import { createElbv2Client } from '../../../shared/aws/clients/elbv2.ts';
import { createS3Client } from '../../../shared/aws/clients/s3.ts';
import { createElbv2, type Elbv2 } from '../../../shared/aws/elbv2.ts';
import { readConfig } from '../../../shared/config.ts';
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

const knownBuckets = new Map<string | undefined, Buckets>();
const buckets = (region: string | undefined): Buckets => {
  const made = knownBuckets.get(region) ?? createBuckets(createS3Client({ region }));
  knownBuckets.set(region, made);
  return made;
};

const { accountId } = readConfig(process.env, ['accountId']);
const deps = { ...runtime, elbv2, buckets, accountId };

export const handler = makeStepHandler(
  'cluster-load-balancer',
  { loadBalancer: loadBalancer(deps), deleteLoadBalancer: deleteLoadBalancer(deps) },
  runtime,
);
