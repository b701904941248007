/** Regions and their zones, as a new account sees them. */
import type { Ec2 } from './state.ts';

const REGIONS: readonly string[] = [
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'ca-central-1',
  'eu-central-1',
  'eu-north-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
];

/** The regions that need no opt-in. */
export const regionNames = (): readonly string[] => REGIONS;

export interface Zone {
  /** For example `us-east-1a`. */
  readonly name: string;
  /** For example `use1-az1`. */
  readonly id: string;
  readonly type: 'availability-zone' | 'local-zone' | 'wavelength-zone';
  /** The group that the account opts in to. */
  readonly group: string;
  readonly borderGroup: string;
  /** The availability zone to which a local or wavelength zone belongs. */
  readonly parent?: string;
}

const shortName = (region: string): string => {
  const [area = '', direction = '', number = ''] = region.split('-');
  const initials = direction.replace(/(north|south|central)(east|west)?/, (_all, first: string, second?: string) =>
    second ? `${first[0]}${second[0]}` : (first[0] ?? ''),
  );
  return area + (initials === direction ? (direction[0] ?? '') : initials) + number;
};

/** The zones of a region: six in us-east-1, three elsewhere. */
export const zonesOf = (region: string): readonly Zone[] => {
  const letters = region === 'us-east-1' ? 'abcdef' : 'abc';
  return [...letters].map((letter, index) => ({
    name: region + letter,
    id: `${shortName(region)}-az${index + 1}`,
    type: 'availability-zone',
    group: `${region}-zg-1`,
    borderGroup: region,
  }));
};

const localZone = (region: string, city: string, parent: string): Zone => ({
  name: `${region}-${city}-1a`,
  id: `${shortName(region)}-${city}1-az1`,
  type: 'local-zone',
  group: `${region}-${city}-1`,
  borderGroup: `${region}-${city}-1`,
  parent: region + parent,
});

const wavelengthZone = (region: string, city: string, parent: string): Zone => ({
  name: `${region}-wl1-${city}-wlz-1`,
  id: `${shortName(region)}-wl1-${city}-wlz1`,
  type: 'wavelength-zone',
  group: `${region}-wl1`,
  borderGroup: `${region}-wl1-${city}-wlz-1`,
  parent: region + parent,
});

/** One local and one wavelength zone in the regions of the United States that have many; their parents are invented. */
const edgeZonesOf = (region: string): readonly Zone[] => {
  if (region === 'us-east-1') return [localZone(region, 'nyc', 'a'), wavelengthZone(region, 'bos', 'a')];
  if (region === 'us-west-2') return [localZone(region, 'lax', 'a'), wavelengthZone(region, 'sfo', 'a')];
  return [];
};

/** All zones of a region, whether the account has opted in to them or not. */
export const allZonesOf = (region: string): readonly Zone[] => [...zonesOf(region), ...edgeZonesOf(region)];

export const zoneNamed = (region: string, name: string): Zone | undefined =>
  allZonesOf(region).find((zone) => zone.name === name);

/** The zones in which the account can create resources. */
export const openZones = ({ place, optedIn }: Pick<Ec2, 'place' | 'optedIn'>): readonly Zone[] =>
  allZonesOf(place.region).filter(({ type, group }) => type === 'availability-zone' || optedIn.has(group));
