import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { applyFilters } from './filters.ts';
import { checkMaintenanceTag, obeyMaintenanceTag } from './instances/maintenance.ts';
import { pageOf } from './pages.ts';
import type { Ec2 } from './state.ts';
import type { Resource, Table } from './table.ts';
import { addTags } from './tags.ts';

const tablesOf = (ec2: Ec2): Table<Resource>[] =>
  [
    ec2.vpcs,
    ec2.dhcpOptions,
    ec2.subnets,
    ec2.internetGateways,
    ec2.egressOnlyGateways,
    ec2.carrierGateways,
    ec2.vpcEndpoints,
    ec2.natGateways,
    ec2.addresses,
    ec2.routeTables,
    ec2.securityGroups,
    ec2.securityGroupRules,
    ec2.networkInterfaces,
    ec2.instances,
    ec2.volumes,
    ec2.keyPairs,
    ec2.images,
    ec2.launchTemplates,
    ec2.dedicatedHosts,
  ] as unknown as Table<Resource>[];

const resourceOf = (ec2: Ec2, id: string): Resource => {
  const table = tablesOf(ec2).find(({ kind }) => id.startsWith(`${kind.prefix}-`));
  if (!table) throw new AwsFault('InvalidID', `The ID '${id}' is not valid`);
  return table.get(id);
};

const obeyTags = (ec2: Ec2, resource: Resource): void => {
  const instance = ec2.instances.find(resource.id);
  if (instance) obeyMaintenanceTag(ec2, instance);
};

const removeTags = (resource: Resource, tags: readonly sdk.Tag[] | undefined): void => {
  // AWS's own tags stay.
  if (!tags?.length) for (const key of resource.tags.keys()) if (!key.startsWith('aws:')) resource.tags.delete(key);
  if (tags?.some(({ Key = '' }) => Key.startsWith('aws:')))
    throw new AwsFault('InvalidParameterValue', `Tag keys starting with 'aws:' are reserved for internal use`);
  for (const { Key = '', Value } of tags ?? [])
    if (Value === undefined || resource.tags.get(Key) === Value) resource.tags.delete(Key);
};

interface TagRow {
  readonly sequence: number;
  readonly resourceId: string;
  readonly resourceType: sdk.ResourceType;
  readonly key: string;
  readonly value: string;
  readonly tags: Map<string, string>;
}

/** Every tag of every resource, in a stable order: sequence numbers leave room for the tags of each resource. */
const allTags = (ec2: Ec2): TagRow[] =>
  tablesOf(ec2).flatMap((table) =>
    table.seen(undefined).flatMap(({ id, sequence, tags }) =>
      [...tags].map(([key, value], index) => ({
        sequence: sequence * 100 + index,
        resourceId: id,
        resourceType: table.kind.type,
        key,
        value,
        tags,
      })),
    ),
  );

/** Tags of all resources of EC2. */
export const resourceTagActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateTags: ({ Resources = [], Tags = [] }) => {
    const resources = Resources.map((id) => resourceOf(ec2, id));
    checkMaintenanceTag(Tags);
    for (const { tags } of resources) addTags(tags, Tags);
    for (const resource of resources) obeyTags(ec2, resource);
    return {};
  },
  DeleteTags: ({ Resources = [], Tags }) => {
    const resources = Resources.map((id) => resourceOf(ec2, id));
    for (const resource of resources) removeTags(resource, Tags);
    for (const resource of resources) obeyTags(ec2, resource);
    return {};
  },
  DescribeTags: ({ Filters, MaxResults, NextToken }) => {
    const found = applyFilters(allTags(ec2), Filters, {
      'resource-id': ({ resourceId }) => resourceId,
      'resource-type': ({ resourceType }) => resourceType,
      key: ({ key }) => key,
      value: ({ value }) => value,
    });
    const { rows, nextToken } = pageOf(found, { maxResults: MaxResults, nextToken: NextToken });
    return {
      Tags: rows.map(({ resourceId, resourceType, key, value }) => ({
        ResourceId: resourceId,
        ResourceType: resourceType,
        Key: key,
        Value: value,
      })),
      NextToken: nextToken,
    };
  },
});
