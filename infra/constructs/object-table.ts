import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
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

/**
 * The etcd: one item per object, in the shape of shared/store/table.ts. It is kept when the stack is deleted, because
 * the clusters outlive the stack, unless someone asked for its removal. Encrypted with DynamoDB's own KMS key; the contents of Secrets are sealed a second
 * time with the seal key, which only the functions that open Secrets may use.
 */
export const objectTable = (scope: Construct, { isRemoved }: { isRemoved: boolean }): Table => {
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
