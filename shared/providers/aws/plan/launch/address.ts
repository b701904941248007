import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import { buildTags, type ClusterName, type Tags } from '../../tags.ts';

/** Whether the instance gets an Elastic IP address once it is running. Without a named pool, it is one of Amazon's. */
export const wantsAddress = ({ spec }: AWSMachine): boolean => spec.elasticIpPool !== undefined;

/** The role with which the address of an instance is found again, in upstream's form. */
export const addressRole = (instanceId: string): string => `ec2-${instanceId}`;

/**
 * Tags of the address of an instance or a load balancer: upstream's, and those that the cluster sets on all its
 * resources.
 */
export const addressTags = (cluster: ClusterName, { spec }: AWSCluster, role: string): Tags =>
  buildTags({ cluster, name: `${cluster.name}-eip-${role}`, role, additional: spec.additionalTags });
