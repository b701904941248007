import type { Tags } from '../tags.ts';

/**
 * Any of the values must match, and all filters must. An empty list of values would match nothing and is not allowed.
 */
export interface Filter {
  name: string;
  values: readonly string[];
}

/** The filters with which a cluster's network is read. The effects of writes are added to their results. */

export const inVpcs = (ids: readonly string[]): Filter[] => [{ name: 'vpc-id', values: ids }];

/** Filters for internet gateways of VPCs. */
export const attachedTo = (ids: readonly string[]): Filter[] => [{ name: 'attachment.vpc-id', values: ids }];

/** The supported fields of filters. */
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

/** Whether EC2 would return the resource for the filters; undefined if that cannot be determined here. */
export const isShown = (filters: readonly Filter[], thing: Thing): boolean | undefined => {
  const verdicts = filters.map((filter) => fits(filter, thing));
  return verdicts.includes(undefined) ? undefined : !verdicts.includes(false);
};
