import { formatCidr, parseCidr } from '../../../cidr.ts';
import type { Service } from '../../../plan/services/service.ts';
import { ServiceProblem, SOURCE_RANGES_ANNOTATION } from './annotations.ts';

const EVERYWHERE = '0.0.0.0/0';

/**
 * The blocks that may connect, in EC2's form and without duplicates; everything by default. The annotation is only used
 * if the field is empty (GetLoadBalancerSourceRanges). Throws ServiceProblem.
 */
export const sourceRanges = ({ loadBalancerSourceRanges, annotations }: Service): string[] => {
  const isField = loadBalancerSourceRanges.length > 0;
  const field = isField ? 'spec.loadBalancerSourceRanges' : `annotation ${SOURCE_RANGES_ANNOTATION}`;
  const text = annotations[SOURCE_RANGES_ANNOTATION]?.trim() || EVERYWHERE;
  const blocks = isField ? loadBalancerSourceRanges : text.split(',');
  const ranges = blocks.map((block) => {
    const cidr = parseCidr(block.trim(), 4);
    if (cidr) return formatCidr(cidr);
    throw new ServiceProblem(`${field}: "${block}" is not an IPv4 block such as 10.0.0.0/24`);
  });
  return [...new Set(ranges)].sort();
};
