import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { FilterFields } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { describe } from '../pages.ts';
import type { DhcpOptions } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { tagList, tagsFor } from '../tags.ts';

const NAMES = ['domain-name', 'domain-name-servers', 'ntp-servers', 'netbios-name-servers', 'netbios-node-type'];

const configurationsOf = (given: readonly sdk.NewDhcpConfiguration[] = []): DhcpOptions['configurations'] =>
  given.map(({ Key = '', Values = [] }) => {
    if (!NAMES.includes(Key))
      throw new AwsFault('InvalidParameterValue', `Value (${Key}) for parameter key is invalid. Unknown DHCP option`);
    return { name: Key, values: Values };
  });

const fieldsFor = (ec2: Ec2): FilterFields<DhcpOptions> => ({
  'dhcp-options-id': ({ id }) => id,
  key: ({ configurations }) => configurations.map(({ name }) => name),
  value: ({ configurations }) => configurations.flatMap(({ values }) => values),
  'owner-id': () => ec2.place.accountId,
});

const view = (ec2: Ec2, { id, configurations, tags }: DhcpOptions): sdk.DhcpOptions => ({
  DhcpOptionsId: id,
  OwnerId: ec2.place.accountId,
  DhcpConfigurations: configurations.map(({ name, values }) => ({
    Key: name,
    Values: values.map((Value) => ({ Value })),
  })),
  Tags: tagList(tags),
});

/** DHCP options. Only their domain name has an effect: it appears in the host name of instances' metadata. */
export const dhcpOptionsActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateDhcpOptions: (input) => {
    onlySimulated('ec2:CreateDhcpOptions', input, ['DhcpConfigurations', 'TagSpecifications']);
    const configurations = configurationsOf(input.DhcpConfigurations);
    const tags = tagsFor(input.TagSpecifications, 'dhcp-options');
    return { DhcpOptions: view(ec2, ec2.dhcpOptions.add({ ...ec2.born(KINDS.dhcpOptions, tags), configurations })) };
  },
  DescribeDhcpOptions: ({ DhcpOptionsIds, Filters, MaxResults, NextToken }) => {
    const question = { ids: DhcpOptionsIds, filters: Filters, maxResults: MaxResults, nextToken: NextToken };
    const { rows, nextToken } = describe(ec2.dhcpOptions, question, fieldsFor(ec2));
    return { DhcpOptions: rows.map((row) => view(ec2, row)), NextToken: nextToken };
  },
  AssociateDhcpOptions: ({ VpcId, DhcpOptionsId }) => {
    const vpc = ec2.vpcs.get(VpcId);
    vpc.dhcpOptionsId = DhcpOptionsId === 'default' ? undefined : ec2.dhcpOptions.get(DhcpOptionsId).id;
    return {};
  },
  DeleteDhcpOptions: ({ DhcpOptionsId }) => {
    const { id } = ec2.dhcpOptions.get(DhcpOptionsId);
    if (ec2.vpcs.all().some(({ dhcpOptionsId }) => dhcpOptionsId === id))
      throw new AwsFault('DependencyViolation', `The dhcpOptions '${id}' has dependencies and cannot be deleted.`);
    ec2.dhcpOptions.remove(id);
    return {};
  },
});
