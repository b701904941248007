import type { MutatingCalls } from './mutating-call.ts';

const ROUTES = ['shared/providers/aws/routes/api.ts'];

/** The calls for routes to the pods of nodes. */
export const ROUTE_CALLS: readonly MutatingCalls[] = [
  {
    proof: 'described',
    by: 'instances that isClustersInstance proves to be the cluster’s (readFacts)',
    calls: { 'ec2:ModifyInstanceAttribute': ROUTES },
  },
  {
    proof: 'described',
    by: 'route tables whose tags name the cluster with its namespace (tablesOf); in them only routes inside its pod network that lead to its own instances, or to none any more (planRoutes)',
    calls: { 'ec2:CreateRoute': ROUTES, 'ec2:DeleteRoute': ROUTES, 'ec2:ReplaceRoute': ROUTES },
  },
];
