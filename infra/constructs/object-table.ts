import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type KeyAttribute, OBJECT_TABLE, type Projection } from '../../shared/store/table.ts';

const attribute = ({ name, type }: KeyAttribute): Attribute => ({
  name,
  type: type === 'N' ? AttributeType.NUMBER : AttributeType.STRING,
});

const projected = (projection: Projection): ProjectionType =>
  projection === 'ALL' ? ProjectionType.ALL : ProjectionType.KEYS_ONLY;

const madeTable = (scope: Construct, isRemoved: boolean): Table => {
  const table = new Table(scope, 'Objects', {
    partitionKey: attribute(OBJECT_TABLE.partitionKey),
    sortKey: attribute(OBJECT_TABLE.sortKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: OBJECT_TABLE.timeToLive,
    deletionProtection: !isRemoved,
    removalPolicy: isRemoved ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
  for (const { name, sortKey, projection } of OBJECT_TABLE.localIndexes)
    table.addLocalSecondaryIndex({
      indexName: name,
      sortKey: attribute(sortKey),
      projectionType: projected(projection),
    });
  for (const { name, partitionKey, sortKey, projection } of OBJECT_TABLE.globalIndexes)
    table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: attribute(partitionKey),
      sortKey: attribute(sortKey),
      projectionType: projected(projection),
    });
  return table;
};

/**
 * The counterpart of etcd: one item per object, in the format of shared/store/table.ts. The table is kept when the
 * stack is deleted, because the clusters outlive the stack, unless its removal was requested. It is encrypted with
 * DynamoDB's own KMS key; the contents of Secrets are encrypted a second time with the seal key, which only the
 * functions that open Secrets may use.
 *
 * DynamoDB restores a backup as another table. `tableName` names that table, which is then not part of the stack.
 */
export const objectTable = (
  scope: Construct,
  { tableName, isRemoved }: { tableName: string | undefined; isRemoved: boolean },
): ITable =>
  tableName === undefined
    ? madeTable(scope, isRemoved)
    : Table.fromTableAttributes(scope, 'Objects', { tableName, grantIndexPermissions: true });
