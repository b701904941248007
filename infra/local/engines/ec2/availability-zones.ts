import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './state.ts';
import { regionNames, type Zone, zonesOf } from './zones.ts';

const NO_TAGS: ReadonlyMap<string, string> = new Map();

const zoneView = (region: string, { name, id }: Zone): sdk.AvailabilityZone => ({
  ZoneName: name,
  ZoneId: id,
  ZoneType: 'availability-zone',
  RegionName: region,
  GroupName: `${region}-zg-1`,
  NetworkBorderGroup: region,
  OptInStatus: 'opt-in-not-required',
  State: 'available',
  Messages: [],
});

const checkNames = (wanted: readonly string[] | undefined, known: readonly string[], word: string): void => {
  const unknown = wanted?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new AwsFault('InvalidParameterValue', `Invalid ${word}: [${unknown}]`);
};

/** Regions, availability zones and the attributes of the account. */
export const zoneActions = (ec2: Ec2): Handlers<typeof sdk> => {
  const { region } = ec2.place;
  return {
    DescribeAvailabilityZones: ({ ZoneNames, ZoneIds, Filters }) => {
      const zones = zonesOf(region);
      checkNames(
        ZoneNames,
        zones.map(({ name }) => name),
        'availability zone',
      );
      checkNames(
        ZoneIds,
        zones.map(({ id }) => id),
        'availability zone-id',
      );
      const asked = zones.filter(
        ({ name, id }) =>
          (!ZoneNames?.length || ZoneNames.includes(name)) && (!ZoneIds?.length || ZoneIds.includes(id)),
      );
      const rows = asked.map((zone) => ({ ...zone, tags: new Map(NO_TAGS) }));
      const found = applyFilters(rows, Filters, {
        'zone-name': ({ name }) => name,
        'zone-id': ({ id }) => id,
        'zone-type': () => 'availability-zone',
        'region-name': () => region,
        'group-name': () => `${region}-zg-1`,
        'opt-in-status': () => 'opt-in-not-required',
        state: () => 'available',
      });
      return { AvailabilityZones: found.map((zone) => zoneView(region, zone)) };
    },
    DescribeRegions: ({ RegionNames, Filters }) => {
      checkNames(RegionNames, regionNames(), 'region name');
      const rows = regionNames()
        .filter((name) => !RegionNames?.length || RegionNames.includes(name))
        .map((name) => ({ name, tags: new Map(NO_TAGS) }));
      const found = applyFilters(rows, Filters, {
        'region-name': ({ name }) => name,
        endpoint: ({ name }) => `ec2.${name}.amazonaws.com`,
        'opt-in-status': () => 'opt-in-not-required',
      });
      return {
        Regions: found.map(({ name }) => ({
          RegionName: name,
          Endpoint: `ec2.${name}.amazonaws.com`,
          OptInStatus: 'opt-in-not-required',
        })),
      };
    },
    DescribeAccountAttributes: ({ AttributeNames }) => {
      const { quotas } = ec2.settings;
      const defaultVpc = ec2.vpcs.all().find(({ isDefault }) => isDefault);
      const attributes: [sdk.AccountAttributeName | string, string][] = [
        ['supported-platforms', 'VPC'],
        ['default-vpc', defaultVpc?.id ?? 'none'],
        ['max-instances', String(quotas.vcpus)],
        ['vpc-max-elastic-ips', String(quotas.addresses)],
        ['max-elastic-ips', String(quotas.addresses)],
        ['vpc-max-security-groups-per-interface', '5'],
      ];
      return {
        AccountAttributes: attributes
          .filter(([name]) => !AttributeNames?.length || (AttributeNames as string[]).includes(name))
          .map(([AttributeName, AttributeValue]) => ({ AttributeName, AttributeValues: [{ AttributeValue }] })),
      };
    },
  };
};
