import type { Tags } from '../tags.ts';
import type { Filter } from './ec2-filter.ts';

/** By these filters a cluster's network is read; what a write has made is found among what they gave. */

export const inVpcs = (ids: readonly string[]): Filter[] => [{ name: 'vpc-id', values: ids }];

/** Internet gateways of VPCs. */
export const attachedTo = (ids: readonly string[]): Filter[] => [{ name: 'attachment.vpc-id', values: ids }];

/** What filters are judged by here. */
interface Thing {
  vpcId?: string;
  tags: Tags;
}

const VPC = new Set(['vpc-id', 'attachment.vpc-id']);
const TAG = 'tag:';

const fits = ({ name, values }: Filter, { vpcId, tags }: Thing): boolean | undefined => {
  if (VPC.has(name)) return vpcId !== undefined && values.includes(vpcId);
  if (!name.startsWith(TAG)) return undefined;
  const tag = tags[name.slice(TAG.length)];
  return tag !== undefined && values.includes(tag);
};

/** Whether EC2 would show the thing under the filters; undefined where that is not known here. */
export const isShown = (filters: readonly Filter[], thing: Thing): boolean | undefined => {
  const verdicts = filters.map((filter) => fits(filter, thing));
  return verdicts.includes(undefined) ? undefined : !verdicts.includes(false);
};
