import type { AWSCluster } from '../../../../kinds/index.ts';
import { hasMemories } from '../../../../plan/memory/memory.ts';
import { givenHost } from '../../load-balancer/endpoint.ts';
import { AWS_MEMORY } from '../memory.ts';

/**
 * An entry in the AWSCluster's record: its identity worked, and the creation of its infrastructure has begun. It is
 * written before the first change in AWS.
 */
const BEGUN_ANNOTATION = 'windlass.dev/begun';

/** The AWSCluster with the beginning of its infrastructure recorded. */
export const withBegun = (awsCluster: AWSCluster): AWSCluster => ({
  ...awsCluster,
  metadata: {
    ...awsCluster.metadata,
    annotations: { ...awsCluster.metadata.annotations, [BEGUN_ANNOTATION]: 'true' },
  },
});

/** Conditions that are written before anything in AWS was observed. */
const WITHOUT_AWS: readonly string[] = ['Ready', 'PrincipalUsageAllowed', 'PrincipalCredentialRetrieved'];

const hasStatus = ({ status = {} }: AWSCluster): boolean => {
  const { conditions = [], ready: _ready, ...rest } = status;
  return Object.keys(rest).length > 0 || conditions.some(({ type }) => !WITHOUT_AWS.includes(type));
};

/**
 * Whether a controller, here or in an earlier installation of this cluster, has written its observations to the spec.
 */
const isDescribed = ({ spec }: AWSCluster): boolean => {
  const { vpc = {}, subnets = [] } = spec.network ?? {};
  const isVpcDescribed =
    vpc.id !== undefined && (vpc.tags ?? vpc.internetGatewayId ?? vpc.carrierGatewayId ?? vpc.cidrBlock);
  return (
    Boolean(isVpcDescribed) ||
    subnets.some(({ resourceID, routeTableId, natGatewayId }) => resourceID ?? routeTableId ?? natGatewayId)
  );
};

/**
 * Whether nothing can have been created in AWS for an AWSCluster: no beginning is recorded, and there is no trace of
 * AWS resources in status and spec. False in case of doubt.
 */
export const isUntouched = (awsCluster: AWSCluster): boolean =>
  !hasMemories(AWS_MEMORY.cluster, awsCluster) &&
  awsCluster.status?.ready !== true &&
  !hasStatus(awsCluster) &&
  givenHost(awsCluster) === undefined &&
  !isDescribed(awsCluster);
