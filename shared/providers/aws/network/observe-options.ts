import type { AWSCluster } from '../../../kinds/index.ts';
import type { ClusterName } from '../tags.ts';
import type { View } from './driver.ts';

export interface ObserveOptions {
  cluster: ClusterName;
  /** spec.network.vpc.id. */
  recordedVpcId: string | undefined;
  /** That VPC is the cluster's, whatever its tags say. */
  isRecordedOwn?: boolean;
  /** `creation` also asks for the VPC's DNS settings, `deletion` for the network interfaces in it. */
  purpose: View['purpose'];
  /** What it asks for decides what else is looked at. */
  spec?: AWSCluster['spec'];
  named?: View['named'];
}
