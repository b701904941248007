import { DescribeAvailabilityZonesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { toFilters } from '../wire.ts';

interface ObservedZone {
  name: string;
  type: string;
  parent?: string;
}

/** The region of the calls, and the zones in which subnets can be created. */
export interface ZoneReads {
  /** The region of the calls. */
  describeOwnRegion(): Promise<string>;
  /** Names of the zones in which resources can be created: available ones, without Local and Wavelength Zones. */
  describeAvailabilityZones(): Promise<string[]>;
  /** Zones by name, of any type; zones that the account has not opted in to are omitted. */
  describeZones(names: readonly string[]): Promise<ObservedZone[]>;
}

export const zoneReads = (client: EC2Client): ZoneReads => ({
  describeOwnRegion: () => client.config.region(),
  describeAvailabilityZones: async () => {
    const filters = [
      { name: 'state', values: ['available'] },
      { name: 'zone-type', values: ['availability-zone'] },
    ];
    const answer = await client.send(new DescribeAvailabilityZonesCommand({ Filters: toFilters(filters) }));
    return (answer.AvailabilityZones ?? []).flatMap(({ ZoneName }) => ZoneName ?? []);
  },
  describeZones: async (names) => {
    const Filters = toFilters([{ name: 'zone-name', values: names }]);
    const { AvailabilityZones } = await client.send(new DescribeAvailabilityZonesCommand({ Filters }));
    return (AvailabilityZones ?? []).flatMap(({ ZoneName: name, ZoneType: type, ParentZoneName: parent }) =>
      name && type ? [{ name, type, ...(parent ? { parent } : {}) }] : [],
    );
  },
});
