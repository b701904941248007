import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

const TABLE = {
  partitionKey: 'PK',
  sortKey: 'SK',
  timeToLive: 'ttl',
  localIndexes: [{ indexName: 'byCluster', sortKey: 'cluster' }],
  globalIndexes: [
    { indexName: 'byVersion', partitionKey: 'kind', sortKey: 'version' },
    { indexName: 'due', partitionKey: 'due', sortKey: 'dueAt' },
  ],
};

const string = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The etcd: one item per object. It is kept when the stack is deleted, because the clusters outlive the stack. Encrypted
 * with DynamoDB's own KMS key; the contents of Secrets are sealed a second time with the seal key, which only the
 * functions that open Secrets may use.
 */
export const objectTable = (scope: Construct): Table => {
  const table = new Table(scope, 'Objects', {
    partitionKey: string(TABLE.partitionKey),
    sortKey: string(TABLE.sortKey),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: TABLE.timeToLive,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  for (const { indexName, sortKey } of TABLE.localIndexes)
    table.addLocalSecondaryIndex({ indexName, sortKey: string(sortKey), projectionType: ProjectionType.ALL });
  for (const { indexName, partitionKey, sortKey } of TABLE.globalIndexes)
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: string(partitionKey),
      sortKey: string(sortKey),
      projectionType: ProjectionType.ALL,
    });
  return table;
};
