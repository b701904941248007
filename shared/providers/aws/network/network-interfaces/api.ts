import { type NetworkInterface, paginateDescribeNetworkInterfaces } from '@aws-sdk/client-ec2';
import { collectPages } from '../../../../aws/pages.ts';
import type { Filter } from '../filters.ts';
import { type Pages, required, toFilters } from '../wire.ts';
import type { ObservedNetworkInterface } from './model.ts';

export interface NetworkInterfaceReads {
  describeNetworkInterfaces(filters: readonly Filter[]): Promise<ObservedNetworkInterface[]>;
}

const toNetworkInterface = (one: NetworkInterface): ObservedNetworkInterface => ({
  id: required(one.NetworkInterfaceId, 'NetworkInterfaceId'),
  vpcId: one.VpcId ?? '',
  subnetId: one.SubnetId ?? '',
  description: one.Description ?? '',
  groupIds: (one.Groups ?? []).flatMap(({ GroupId }) => GroupId ?? []),
  ...(one.Attachment?.InstanceId ? { instanceId: one.Attachment.InstanceId } : {}),
});

export const networkInterfaceReads = (paged: Pages): NetworkInterfaceReads => ({
  describeNetworkInterfaces: async (filters) => {
    const pages = paginateDescribeNetworkInterfaces(paged, { Filters: toFilters(filters) });
    return (await collectPages(pages, ({ NetworkInterfaces }) => NetworkInterfaces)).map(toNetworkInterface);
  },
});
