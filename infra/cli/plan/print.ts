import { describeCluster } from '../../../functions/preview/describe.ts';
import type { ManifestsPlan } from './plan.ts';

const WOULD = { created: 'would be created', configured: 'would be configured', unchanged: 'unchanged' } as const;

/** A plan as a person reads it. */
export const planText = ({ objects, refused, clusters, notes }: ManifestsPlan): string => {
  const about = clusters.flatMap((plan) => {
    const lines = describeCluster(plan);
    const { namespace, name } = plan.cluster;
    const said = lines.length > 0 ? lines : ['no Machine is created, replaced or deleted'];
    return ['', `Cluster ${namespace}/${name}:`, ...said.map((line) => `  ${line}`)];
  });
  return [
    ...objects.map(({ object, outcome }) => `${object} ${WOULD[outcome]}`),
    ...refused,
    ...about,
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n');
};
