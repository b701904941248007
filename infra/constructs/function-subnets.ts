import { type Context, checkNumber } from './context.ts';

/** The subnets of functions that must reach API servers without a public address. */
export interface Attachment {
  subnets: readonly string[];
  securityGroups: readonly string[];
  /** Whether functions that do not need it are attached as well. */
  ofAll: boolean;
}

const SUBNET = { pattern: /^subnet-[0-9a-f]{8,17}$/, is: 'the id of a subnet' };
const SECURITY_GROUP = { pattern: /^sg-[0-9a-f]{8,17}$/, is: 'the id of a security group' };

/** Lambda's limits for a function in a VPC. */
const MOST_SUBNETS = 16;
const MOST_SECURITY_GROUPS = 5;

/**
 * The subnets of functions, from `functionSubnets`, `functionSecurityGroups` and `allFunctionsInVpc`; undefined if they
 * are in no VPC.
 */
export const readAttachment = (context: Context): Attachment | undefined => {
  const subnets = context.list('functionSubnets', SUBNET);
  const securityGroups = context.list('functionSecurityGroups', SECURITY_GROUP);
  const ofAll = context.flag('allFunctionsInVpc', false);
  if (subnets.length === 0 && ofAll) context.report('allFunctionsInVpc', 'must be given with functionSubnets');
  if (subnets.length === 0 && securityGroups.length === 0) return undefined;
  if (subnets.length === 0) context.report('functionSubnets', 'must be given with functionSecurityGroups');
  if (securityGroups.length === 0) context.report('functionSecurityGroups', 'must be given with functionSubnets');
  checkNumber(context, 'functionSubnets', subnets, MOST_SUBNETS);
  checkNumber(context, 'functionSecurityGroups', securityGroups, MOST_SECURITY_GROUPS);
  return { subnets, securityGroups, ofAll };
};
