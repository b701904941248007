import { type Unsupported, warnUnsupported } from '../rules/unsupported.ts';
import type { AWSCluster, AWSClusterSpec } from './schema.ts';

const primary = (spec: AWSClusterSpec) => spec.controlPlaneLoadBalancer;

const UNSUPPORTED: Unsupported<AWSClusterSpec> = {
  secondaryControlPlaneLoadBalancer: (spec) => spec.secondaryControlPlaneLoadBalancer,
  'controlPlaneLoadBalancer.targetGroupIPType': (spec) => primary(spec)?.targetGroupIPType === 'ipv6',
};

/** One sentence for each field that is set and that this version does not act on. */
export const warnAWSCluster = ({ spec }: AWSCluster): string[] => warnUnsupported(UNSUPPORTED, spec ?? {});
