import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';
import type { KubeObject, ObjectKey, ResourceId } from '../../kube-api/object.ts';
import { INFRASTRUCTURES } from '../../providers/registry.ts';
import { BY_INSTANCE } from '../table.ts';

/**
 * Finds the machines of a provider (`resource`) that have an instance, with one request of one unit, also for an
 * unknown instance.
 */
export type FindByInstance = (instanceId: string, resource: ResourceId) => Promise<ObjectKey[]>;

/** The key of an object in the index: the provider's name for the machine's instance. */
export const instanceOf = ({ group, plural }: ResourceId, object: KubeObject): string | undefined => {
  const provider = INFRASTRUCTURES.find(({ machine }) => machine.plural === plural && machine.group === group);
  if (!provider || !('spec' in object)) return undefined;
  return provider.instance(object as InfrastructureMachine).name || undefined;
};

/**
 * Queries the index by instance. The index lags a moment behind the objects, and does not contain objects that were
 * last written before it existed. So an empty result means "perhaps not ours"; the sweep has complete information.
 */
export const createFindByInstance =
  ({ client, table }: { client: DynamoDBDocumentClient; table: string }): FindByInstance =>
  async (instanceId, { group, plural }) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: BY_INSTANCE.name,
        KeyConditionExpression: 'instance = :instance',
        ExpressionAttributeValues: { ':instance': instanceId },
      }),
    );
    const prefix = `${group}/${plural}|`;
    // Instances of two providers may have the same name.
    return (Items as { pk: string; sk: string }[])
      .filter(({ pk }) => pk.startsWith(prefix))
      .map(({ pk, sk }) => ({ namespace: pk.slice(prefix.length), name: sk }));
  };
