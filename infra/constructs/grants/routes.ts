import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { arns, ROLE_TAG, reading, statement } from './permissions.ts';
import { changingOfRole } from './role-permissions.ts';

/** Role tag of the route tables that Windlass makes. */
const TABLE_ROLE = 'common';

/**
 * Routes to pods: in the route tables of clusters, and on the instances of clusters one attribute that can only be switched
 * off. A route is no resource of its own; to what it leads is not asked.
 */
export const podRoutes = (): PolicyStatement[] => [
  reading('ec2', ['DescribeRouteTables', 'DescribeInstances']),
  changingOfRole(TABLE_ROLE, 'ec2', ['CreateRoute', 'ReplaceRoute', 'DeleteRoute'], ['route-table']),
  statement(['ec2:ModifyInstanceAttribute'], arns('ec2', ['instance']), {
    Null: { [`aws:ResourceTag/${ROLE_TAG}`]: 'false' },
    Bool: { 'ec2:Attribute/SourceDestCheck': 'false' },
  }),
];
