import { createHash } from 'node:crypto';
import { AspectPriority, Aspects, Aws, Fn, Names, type Stack } from 'aws-cdk-lib';
import { CfnManagedPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import type { Context } from '../context.ts';

/** Rules of an organization for the names of roles. */
export interface RoleRules {
  /** The path of roles and managed policies; `/` is IAM's default. */
  path: string;
  /** Undefined if CloudFormation chooses the names, which then begin with the stack's name. */
  namePrefix: string | undefined;
}

const PATH = { pattern: /^\/([\w+=,.@-]+\/){0,10}$/, is: 'a path of IAM, such as /platform/' };
const PREFIX = { pattern: /^[\w+=,.@-]{1,20}$/, is: 'at most 20 characters that names of roles may have' };

/** IAM's limit. */
const LONGEST_NAME = 64;
/** The longest name of a region, with a hyphen. */
const REGION_LENGTH = 16;

export const readRoleRules = (context: Context): RoleRules => ({
  path: context.text('rolePath', PATH) ?? '/',
  namePrefix: context.text('roleNamePrefix', PREFIX),
});

/** CloudFormation cannot move a named role to another path, but only create another role with another name. */
const markOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 4);

/** Names are unique in an account, even for stacks with the same name in several regions. */
const nameOf = (construct: IConstruct, prefix: string, path: string): string => {
  const mark = markOf(path);
  const maxLength = LONGEST_NAME - prefix.length - REGION_LENGTH - mark.length - 1;
  const own = Names.uniqueResourceName(construct, { maxLength, separator: '-', allowedSpecialCharacters: '-' });
  return Fn.join('-', [`${prefix}${own}`, mark, Aws.REGION]);
};

/**
 * Gives all roles and managed policies of the stack the path and the names that the settings require. The aspect runs
 * late, because the CDK moves permissions that are too long for a role into managed policies at a late stage.
 */
export const applyRoleRules = (stack: Stack, { path, namePrefix }: RoleRules): void => {
  const visit = (construct: IConstruct): void => {
    if (!(construct instanceof CfnRole || construct instanceof CfnManagedPolicy)) return;
    if (path !== '/') construct.path = path;
    if (namePrefix === undefined) return;
    const name = nameOf(construct, namePrefix, path);
    if (construct instanceof CfnRole) construct.roleName = name;
    else construct.managedPolicyName = name;
  };
  Aspects.of(stack).add({ visit }, { priority: AspectPriority.READONLY });
};
