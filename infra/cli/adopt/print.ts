import type { Observed } from './observed.ts';
import type { AdoptionPlan } from './plan.ts';

const lines = (title: string, entries: readonly string[]): string[] =>
  entries.length === 0 ? [] : ['', title, ...entries.map((entry) => `  - ${entry}`)];

const vpcText = ({ vpc, subnets }: Observed): string => {
  if (!vpc) return 'no VPC';
  return vpc.cidrBlock === undefined ? `VPC ${vpc.id}, not its own, in ${subnets.length} subnets` : `VPC ${vpc.id}`;
};

/** The plan in readable form. It contains the names of secrets, but nothing of their contents. */
export const adoptionText = (seen: Observed, { cluster, objects, unknown, blocked }: AdoptionPlan): string => {
  const { namespace, name } = cluster.metadata;
  const found = [
    vpcText(seen),
    seen.endpoint ? `endpoint ${seen.endpoint.host}:${seen.endpoint.port}` : 'no endpoint',
    `${seen.balancers.length} load balancers`,
    `${seen.instances.length} instances`,
    seen.silent === undefined ? `${seen.nodes.length} nodes` : 'nodes unknown',
  ];
  const written = [cluster, ...objects.map(({ object }) => object)].map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );
  return [
    `Cluster ${namespace}/${name} in ${seen.region}: ${found.join(', ')}.`,
    ...lines('Objects to write:', written),
    ...lines('Cannot be recovered; provide it with -f:', unknown),
    ...lines('Nothing is written, because:', blocked),
    '',
  ].join('\n');
};
