import { isIP } from 'node:net';
import type { AWSCluster } from '../../../kinds/index.ts';
import { SUFFIXES } from '../../../partitions.ts';

/** Domains of Elastic Load Balancing in all partitions: `….elb.eu-west-1.amazonaws.com`, `….eu-west-1.elb.amazonaws.com`. */
const ENDS = SUFFIXES.map((suffix) => suffix.replaceAll('.', '\\.')).join('|');
const AWS_NAME = new RegExp(`(^|\\.)elb\\.([a-z0-9-]+\\.)?(${ENDS})$`, 'i');

/**
 * The endpoint, if it is the permanent name of one load balancer: according to the status, or according to its domain
 * if the status was lost in a move. An address cannot be redirected either. A user's own name can resolve to any load
 * balancer, so it does not prove that there was one.
 */
export const givenHost = ({ spec, status }: Pick<AWSCluster, 'spec' | 'status'>): string | undefined => {
  const host = spec.controlPlaneEndpoint?.host;
  if (!host) return undefined;
  const isRecorded = host === status?.networkStatus?.apiServerElb?.dnsName;
  return isRecorded || AWS_NAME.test(host) || isIP(host) !== 0 ? host : undefined;
};

/** The endpoint, if it is the user's own DNS name. */
export const ownEndpoint = (
  awsCluster: Pick<AWSCluster, 'spec' | 'status'>,
): { host: string; port?: number } | undefined => {
  const { host, port } = awsCluster.spec.controlPlaneEndpoint ?? {};
  return host && givenHost(awsCluster) === undefined ? { host, ...(port ? { port } : {}) } : undefined;
};
