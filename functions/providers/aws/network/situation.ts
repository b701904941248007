import { desiredFrom, namedIds } from '../../../../shared/providers/aws/network/desired.ts';
import { readIntents } from '../../../../shared/providers/aws/network/intents.ts';
import { type NetworkView, observeNetwork } from '../../../../shared/providers/aws/network/observe.ts';
import type { Situation } from '../../../../shared/providers/aws/network/situation.ts';
import { isVpcOnRecord } from '../../../../shared/providers/aws/plan/drift/vpc-ownership.ts';
import type { LiveScope } from '../infrastructure/scope.ts';

/** The desired and the observed state of an AWSCluster's network, for the planners. */
export const readSituation = async (
  { awsCluster, cluster, name, aws }: Omit<LiveScope, 'key'>,
  ec2: NetworkView,
  now: Date,
): Promise<Situation> => {
  const { spec } = awsCluster;
  const recordedVpcId = spec.network?.vpc?.id;
  const isRecordedOwn = isVpcOnRecord(awsCluster);
  const seen = { cluster: name, recordedVpcId, isRecordedOwn, spec };
  const options = { ...seen, purpose: 'creation', named: namedIds(spec) } as const;
  const observed = await observeNetwork(ec2, options);
  // Only the name of an AWS service depends on the region.
  const region = spec.s3Bucket ? (aws.region ?? (await ec2.describeOwnRegion())) : undefined;
  const apiServerPort = cluster.spec.clusterNetwork?.apiServerPort;
  const clusterUid = cluster.metadata.uid ?? '';
  const desired = desiredFrom({ cluster: name, clusterUid, spec, apiServerPort, region }, observed);
  return { desired, observed, intents: readIntents(awsCluster.metadata.annotations), now };
};
