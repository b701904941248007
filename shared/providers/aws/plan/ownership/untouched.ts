import type { AWSCluster } from '../../../../kinds/index.ts';
import { hasMemories } from '../../../../plan/memory/memory.ts';
import { givenHost } from '../../load-balancer/endpoint.ts';
import { AWS_MEMORY } from '../memory.ts';

/**
 * An entry of the AWSCluster's memory that says that its identity worked and that the creation of its infrastructure was
 * begun. It is written before the first change in AWS.
 */
const BEGUN_ANNOTATION = 'windlass.dev/begun';

/** The AWSCluster with the note that its infrastructure is begun. */
export const withBegun = (awsCluster: AWSCluster): AWSCluster => ({
  ...awsCluster,
  metadata: {
    ...awsCluster.metadata,
    annotations: { ...awsCluster.metadata.annotations, [BEGUN_ANNOTATION]: 'true' },
  },
});

/** Conditions that are written before anything of AWS was seen. */
const WITHOUT_AWS: readonly string[] = ['Ready', 'PrincipalUsageAllowed', 'PrincipalCredentialRetrieved'];

const hasStatus = ({ status = {} }: AWSCluster): boolean => {
  const { conditions = [], ready: _ready, ...rest } = status;
  return Object.keys(rest).length > 0 || conditions.some(({ type }) => !WITHOUT_AWS.includes(type));
};

/** Whether a controller, here or in a cluster that this one was moved from, has written into the spec what it saw. */
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
 * Whether nothing can have been created in AWS for an AWSCluster: there is no record of a start, and no trace of AWS
 * resources in status and spec. In doubt it is false.
 */
export const isUntouched = (awsCluster: AWSCluster): boolean =>
  !hasMemories(AWS_MEMORY.cluster, awsCluster) &&
  awsCluster.status?.ready !== true &&
  !hasStatus(awsCluster) &&
  givenHost(awsCluster) === undefined &&
  !isDescribed(awsCluster);
