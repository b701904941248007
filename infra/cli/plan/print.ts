import { describeCluster } from '../../../functions/preview/describe.ts';
import { costChangeText } from './cost.ts';
import type { ManifestsPlan } from './plan.ts';
import type { Preflight } from './preflight.ts';

const WOULD = { created: 'would be created', configured: 'would be configured', unchanged: 'unchanged' } as const;

const verdictOf = ({ missing, unseen }: Preflight): string => {
  if (missing.length > 0) return 'the account lacks';
  return unseen.length > 0 ? 'nothing is missing as far as could be checked' : 'the account has what it needs';
};

const preflightLines = (preflight: Preflight): string[] => [
  '',
  `Pre-flight checks of Cluster ${preflight.cluster}: ${verdictOf(preflight)}`,
  ...preflight.missing.map((one) => `  ${one}`),
  ...preflight.unseen.map((one) => `  not checked: ${one}`),
];

/** A plan in readable form. */
export const planText = ({ objects, refused, clusters, notes, preflight, costs }: ManifestsPlan): string => {
  const about = clusters.flatMap((plan) => {
    const lines = describeCluster(plan);
    const { namespace, name } = plan.cluster;
    const said = lines.length > 0 ? lines : ['no Machine is created, replaced or deleted'];
    const cost = costs.find((one) => one.cluster === `${namespace}/${name}`);
    const costText = cost ? costChangeText(cost) : '';
    const all = [...said, ...(costText === '' ? [] : [costText])];
    return ['', `Cluster ${namespace}/${name}:`, ...all.map((line) => `  ${line}`)];
  });
  return [
    ...objects.map(({ object, outcome }) => `${object} ${WOULD[outcome]}`),
    ...refused,
    ...about,
    ...preflight.flatMap(preflightLines),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n');
};
