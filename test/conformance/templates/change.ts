import type { AWSCluster } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';

/**
 * Gives the VPC of each cluster whose template names none a range of its own: the simulated cloud controller managers know
 * instances by their private DNS names, which are unique in a network. `index`: of the template among those that come up.
 */
export const changed = (object: KubeObject, index: number): KubeObject => {
  if (object.kind !== 'AWSCluster') return object;
  const { spec, ...rest } = object as AWSCluster;
  if (spec.network?.vpc?.id || spec.network?.subnets) return object;
  const vpc = { ...spec.network?.vpc, cidrBlock: `10.${20 + index}.0.0/16` };
  return { ...rest, spec: { ...spec, network: { ...spec.network, vpc } } } as AWSCluster;
};
