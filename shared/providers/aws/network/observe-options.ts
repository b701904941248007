import type { AWSCluster } from '../../../kinds/index.ts';
import type { ClusterName } from '../tags.ts';
import type { View } from './driver.ts';

export interface ObserveOptions {
  cluster: ClusterName;
  /** spec.network.vpc.id. */
  recordedVpcId: string | undefined;
  /** Whether that VPC is the cluster's, whatever its tags are. */
  isRecordedOwn?: boolean;
  /** `creation` also requests the VPC's DNS settings, `deletion` its network interfaces. */
  purpose: View['purpose'];
  /** With `purpose`, determines what else is read. */
  spec?: AWSCluster['spec'];
  named?: View['named'];
}
