import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { InfrastructureMachine } from '../../kinds/infrastructure.ts';
import type { KubeObject, ObjectKey, ResourceId } from '../../kube-api/object.ts';
import { INFRASTRUCTURES } from '../../providers/registry.ts';
import { BY_INSTANCE } from '../table.ts';

/**
 * Finds the machines of a provider (`resource`) that have an instance, with one request of one unit, also for an
 * unknown instance. Only if many objects name the instance, there are further requests for their namespaces.
 */
export type FindByInstance = (instanceId: string, resource: ResourceId) => Promise<ObjectKey[]>;

/** The key of an object in the index: the provider's name for the machine's instance. */
export const instanceOf = ({ group, plural }: ResourceId, object: KubeObject): string | undefined => {
  const provider = INFRASTRUCTURES.find(({ machine }) => machine.plural === plural && machine.group === group);
  if (!provider || !('spec' in object)) return undefined;
  return provider.instance(object as InfrastructureMachine).name || undefined;
};

/**
 * The most objects of one namespace that are returned: a user can write any number of objects with the same instance,
 * and each is read.
 */
const MOST_OF_A_NAMESPACE = 10;

/** `!` and `~` sort before and after all characters of a namespace's name. */
const [BEFORE_LONGER_NAMES, AFTER_ALL_NAMES] = ['!', '~'];

/**
 * Queries the index by instance. The index lags a moment behind the objects, and does not contain objects that were
 * last written before it existed. So an empty result means "perhaps not ours"; the sweep has complete information.
 * Objects in one namespace cannot displace those in another.
 */
export const createFindByInstance = ({
  client,
  table,
}: {
  client: DynamoDBDocumentClient;
  table: string;
}): FindByInstance => {
  const query = async (instanceId: string, from: string, to: string) => {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        IndexName: BY_INSTANCE.name,
        KeyConditionExpression: 'instance = :instance AND pk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':instance': instanceId, ':from': from, ':to': to },
        Limit: MOST_OF_A_NAMESPACE,
      }),
    );
    return { items: Items as { pk: string; sk: string }[], isWhole: LastEvaluatedKey === undefined };
  };
  return async (instanceId, { group, plural }) => {
    // Instances of two providers may have the same name.
    const prefix = `${group}/${plural}|`;
    const found: { pk: string; sk: string }[] = [];
    let from: string | undefined = prefix;
    while (from !== undefined) {
      const { items, isWhole } = await query(instanceId, from, `${prefix}${AFTER_ALL_NAMES}`);
      const last = isWhole ? undefined : items.at(-1)?.pk;
      const others = items.filter(({ pk }) => pk !== last);
      found.push(...(others.length > 0 ? others : items));
      // The last namespace of a page may have further objects, so it is queried again unless it has filled the page.
      from = last !== undefined && others.length === 0 ? `${last}${BEFORE_LONGER_NAMES}` : last;
    }
    return found.map(({ pk, sk }) => ({ namespace: pk.slice(prefix.length), name: sk }));
  };
};
