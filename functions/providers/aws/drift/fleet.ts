import type { AutoScalingClient } from '@aws-sdk/client-auto-scaling';
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing';
import type { ElasticLoadBalancingV2Client } from '@aws-sdk/client-elastic-load-balancing-v2';
import { createAutoScalingClient } from '../../../../shared/aws/clients/auto-scaling.ts';
import { createClassicElbClient } from '../../../../shared/aws/clients/classic-elb.ts';
import { createEc2Client } from '../../../../shared/aws/clients/ec2.ts';
import { createElbv2Client } from '../../../../shared/aws/clients/elbv2.ts';
import { createS3Client } from '../../../../shared/aws/clients/s3.ts';
import { createSecretsManagerClient } from '../../../../shared/aws/clients/secrets-manager.ts';
import type { Clock } from '../../../../shared/clock.ts';
import { createDeletedSecrets } from '../../../../shared/providers/aws/api/deleted-secrets.ts';
import { createEc2Fleet, createEc2Schedule } from '../../../../shared/providers/aws/api/ec2-fleet.ts';
import { imageListing, rememberingImages } from '../../../../shared/providers/aws/api/ec2-image-listing.ts';
import { ec2LaunchReads } from '../../../../shared/providers/aws/api/ec2-launch-reads.ts';
import { createEc2Repairs } from '../../../../shared/providers/aws/api/ec2-repairs.ts';
import { listClassicNames, listElbv2 } from '../../../../shared/providers/aws/api/elbv2-listing.ts';
import { createObjectDeletion } from '../../../../shared/providers/aws/api/object-deletion.ts';
import { createSecretDeletion } from '../../../../shared/providers/aws/api/secret-deletion.ts';
import { elbv2Reads } from '../../../../shared/providers/aws/load-balancer/api.ts';
import { observeClassic } from '../../../../shared/providers/aws/load-balancer/classic/read-api.ts';
import { describeGroups, describeHooks } from '../../../../shared/providers/aws/machine-pool/group-reads.ts';
import { describeTemplates } from '../../../../shared/providers/aws/machine-pool/template-reads.ts';
import { ec2NetworkReads } from '../../../../shared/providers/aws/network/api.ts';
import type { NetworkView } from '../../../../shared/providers/aws/network/observe.ts';
import { makePerScope } from '../../../../shared/providers/aws/scope.ts';
import type { AwsSweepDependencies, BalancingView, PoolListing } from './dependencies.ts';

/** The sweep's changes to instances in an account and region. */
export const makeRepairs = (): AwsSweepDependencies['repairs'] =>
  makePerScope((options) => createEc2Repairs(createEc2Client(options)));

/** Bootstrap data that was marked for deletion, in an account and region. */
export const makeDeletedSecrets = (): AwsSweepDependencies['secrets'] =>
  makePerScope((options) => createDeletedSecrets(createSecretsManagerClient(options)));

/** The deletion of late secrets in an account and region. */
export const makeSweptSecrets = (): AwsSweepDependencies['bootstrapSecrets'] =>
  makePerScope((options) => createSecretDeletion(createSecretsManagerClient(options)));

/** The deletion of late objects of S3 in an account and region. */
export const makeSweptObjects = (): AwsSweepDependencies['bootstrapObjects'] =>
  makePerScope((options) => createObjectDeletion(createS3Client(options)));

/** The instances in an account and region, with their scheduled events. */
export const makeScheduledFleets = (): AwsSweepDependencies['fleet'] =>
  makePerScope((options) => {
    const client = createEc2Client(options);
    return { ...createEc2Fleet(client), ...createEc2Schedule(client) };
  });

/** The reads of networks with an SDK client, in pages as large as possible. */
export const networkView = (client: EC2Client): NetworkView => ec2NetworkReads(client, { inPages: true });

/** The reads of networks. */
export const makeNetworkViews = (): AwsSweepDependencies['network'] =>
  makePerScope((options) => networkView(createEc2Client(options)));

/** The reads of load balancers with SDK clients. */
export const balancingView = (
  client: ElasticLoadBalancingV2Client,
  classic: ElasticLoadBalancingClient,
): BalancingView => ({
  ...elbv2Reads(client),
  list: () => listElbv2(client),
  listClassicNames: () => listClassicNames(classic),
  observeClassic: (name) => observeClassic(classic, name),
});

/** The listing of pools' groups with SDK clients. */
export const poolListing = (ec2: EC2Client, autoScaling: AutoScalingClient): PoolListing => ({
  groups: (names) => describeGroups(autoScaling, names),
  templates: (names) => describeTemplates(ec2, names),
  hooks: (name) => describeHooks(autoScaling, name),
  subnets: ec2LaunchReads(ec2).subnets,
});

/** The reads of the groups of pools. */
export const makePoolListings = (): AwsSweepDependencies['pools'] =>
  makePerScope((options) => poolListing(createEc2Client(options), createAutoScalingClient(options)));

/** The reads of images, cached for an hour. */
export const makeImageListings = (clock: Clock): AwsSweepDependencies['images'] =>
  makePerScope((options) => rememberingImages(imageListing(createEc2Client(options)), clock));

/** The reads of load balancers. */
export const makeBalancingViews = (): AwsSweepDependencies['balancing'] =>
  makePerScope((options) => {
    const client = createElbv2Client(options);
    return balancingView(client, createClassicElbClient(options));
  });
