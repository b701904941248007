/** The parts of a Service that a test chooses. */
import type { V1ServicePort, V1ServiceSpec } from '@kubernetes/client-node';

export interface Wished {
  /**
   * Annotations without the prefix `service.beta.kubernetes.io/aws-load-balancer-`. Without `type`, the load balancer
   * is a classic one.
   */
  annotations?: Readonly<Record<string, string>>;
  spec?: Partial<V1ServiceSpec>;
}

export const CERTIFICATE = 'arn:aws:acm:us-east-1:000000000000:certificate/1';

export const port = (number: number, more: Partial<V1ServicePort> = {}): V1ServicePort => ({
  name: `p${number}`,
  port: number,
  protocol: 'TCP',
  ...more,
});
