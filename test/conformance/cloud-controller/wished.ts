/** What a Service asks for: its manifest without its name. */
import type { V1ServicePort, V1ServiceSpec } from '@kubernetes/client-node';

export interface Wished {
  /** After `service.beta.kubernetes.io/aws-load-balancer-`; without a type, the load balancer is a classic one. */
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
