import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import { buildTags, type ClusterName, type Tags } from '../../tags.ts';

/** Whether the instance gets an Elastic IP address once it runs; without a named pool it is one of Amazon's. */
export const wantsAddress = ({ spec }: AWSMachine): boolean => spec.elasticIpPool !== undefined;

/** The role by which the address of an instance is found again; upstream's. */
export const addressRole = (instanceId: string): string => `ec2-${instanceId}`;

/** Tags of the address of an instance or a load balancer: upstream's, with those that the cluster gives to what it makes. */
export const addressTags = (cluster: ClusterName, { spec }: AWSCluster, role: string): Tags =>
  buildTags({ cluster, name: `${cluster.name}-eip-${role}`, role, additional: spec.additionalTags });
