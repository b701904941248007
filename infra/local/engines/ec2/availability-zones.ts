import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { applyFilters } from './filters.ts';
import type { Ec2 } from './state.ts';
import { allZonesOf, openZones, regionNames, type Zone, zoneNamed } from './zones.ts';

const NO_TAGS: ReadonlyMap<string, string> = new Map();

const statusOf = ({ optedIn }: Ec2, { type, group }: Zone): sdk.AvailabilityZoneOptInStatus => {
  if (type === 'availability-zone') return 'opt-in-not-required';
  return optedIn.has(group) ? 'opted-in' : 'not-opted-in';
};

const zoneView = (ec2: Ec2, zone: Zone): sdk.AvailabilityZone => ({
  ZoneName: zone.name,
  ZoneId: zone.id,
  ZoneType: zone.type,
  RegionName: ec2.place.region,
  GroupName: zone.group,
  NetworkBorderGroup: zone.borderGroup,
  OptInStatus: statusOf(ec2, zone),
  ParentZoneName: zone.parent,
  ParentZoneId: zone.parent && zoneNamed(ec2.place.region, zone.parent)?.id,
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
    DescribeAvailabilityZones: ({ ZoneNames, ZoneIds, Filters, AllAvailabilityZones }) => {
      const zones = AllAvailabilityZones ? allZonesOf(region) : openZones(ec2);
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
        'zone-type': ({ type }) => type,
        'region-name': () => region,
        'group-name': ({ group }) => group,
        'parent-zone-name': ({ parent }) => parent,
        'opt-in-status': (zone) => statusOf(ec2, zone),
        state: () => 'available',
      });
      return { AvailabilityZones: found.map((zone) => zoneView(ec2, zone)) };
    },
    ModifyAvailabilityZoneGroup: ({ GroupName = '', OptInStatus }) => {
      const zones = allZonesOf(region).filter(({ group, type }) => group === GroupName && type !== 'availability-zone');
      if (zones.length === 0)
        throw new AwsFault('InvalidParameterValue', `Value (${GroupName}) for parameter groupName is invalid.`);
      // On AWS, only the support can opt an account out.
      if (OptInStatus !== 'opted-in')
        throw new AwsFault('OptInRequired', `The zone group ${GroupName} can be opted out of by AWS Support only.`);
      ec2.optedIn.add(GroupName);
      return { Return: true };
    },
    DescribeRegions: ({ RegionNames, Filters, AllRegions }) => {
      const statusOf = (name: string) =>
        ec2.settings.disabledRegions.includes(name) ? 'not-opted-in' : 'opt-in-not-required';
      checkNames(RegionNames, regionNames(), 'region name');
      const rows = regionNames()
        .filter((name) => !RegionNames?.length || RegionNames.includes(name))
        .filter((name) => AllRegions || statusOf(name) !== 'not-opted-in')
        .map((name) => ({ name, tags: new Map(NO_TAGS) }));
      const found = applyFilters(rows, Filters, {
        'region-name': ({ name }) => name,
        endpoint: ({ name }) => `ec2.${name}.amazonaws.com`,
        'opt-in-status': ({ name }) => statusOf(name),
      });
      return {
        Regions: found.map(({ name }) => ({
          RegionName: name,
          Endpoint: `ec2.${name}.amazonaws.com`,
          OptInStatus: statusOf(name),
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
