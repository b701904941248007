import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { arns, ROLE_TAG, reading, statement } from './permissions.ts';
import { changingOfRole } from './role-permissions.ts';

/** The role tag of the route tables that Windlass creates. */
const TABLE_ROLE = 'common';

/**
 * Routes to pods: in the route tables of clusters, and one attribute of the clusters' instances, which can only be
 * switched off. IAM has no resource for a route, and does not check its target.
 */
export const podRoutes = (): PolicyStatement[] => [
  reading('ec2', ['DescribeRouteTables', 'DescribeInstances']),
  changingOfRole(TABLE_ROLE, 'ec2', ['CreateRoute', 'ReplaceRoute', 'DeleteRoute'], ['route-table']),
  statement(['ec2:ModifyInstanceAttribute'], arns('ec2', ['instance']), {
    Null: { [`aws:ResourceTag/${ROLE_TAG}`]: 'false' },
    Bool: { 'ec2:Attribute/SourceDestCheck': 'false' },
  }),
];
