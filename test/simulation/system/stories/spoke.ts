/** A cluster in another account, whose identity is withdrawn for some time. */
import type { AWSCluster } from '../../../../shared/kinds/index.ts';
import { CLUSTER, DEPLOYMENT, named, type Sizes, spokeObjects } from '../user.ts';
import { healthChecks } from './health-checks.ts';
import type { Step } from './step.ts';
import type { StoryName } from './story-names.ts';

const SPOKE = '111111111111';
const IDENTITY = 'AWSClusterRoleIdentity';
const CONDITION = 'PrincipalUsageAllowed';

/** The account of a story's clusters; undefined if it is the account of the functions. */
export const accountIdOf = (story: StoryName): string | undefined => (story === 'spoke' ? SPOKE : undefined);

const lacksReport: NonNullable<Step['lacks']> = async (user) => {
  const cluster = await named<AWSCluster>(user, 'AWSCluster', CLUSTER);
  const found = cluster?.status?.conditions?.find(({ type }) => type === CONDITION);
  return found?.status === 'False' ? undefined : `${CONDITION} is ${found?.status}`;
};

export const clusterOfSpoke = (sizes: Sizes): Step[] => {
  const more = { ...sizes, workers: sizes.workers + 1 };
  return [
    {
      name: 'create a cluster in another account',
      sizes,
      act: async (user) => {
        for (const object of [...spokeObjects(sizes), ...healthChecks()]) await user.create(object);
      },
    },
    {
      name: 'withdraw its identity, and request a worker',
      sizes: more,
      isFree: true,
      isUnseen: true,
      act: async (user) => {
        await user.patch(IDENTITY, CLUSTER, { spec: { allowedNamespaces: { list: ['other'] } } });
        await user.patch('MachineDeployment', DEPLOYMENT, { spec: { replicas: more.workers } });
      },
      lacks: lacksReport,
    },
    {
      name: 'allow the identity again',
      sizes: more,
      act: (user) => user.patch(IDENTITY, CLUSTER, { spec: { allowedNamespaces: { list: ['default'] } } }),
    },
  ];
};
