/** Regions and their availability zones, as a new account sees them. */
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
  return [...letters].map((letter, index) => ({ name: region + letter, id: `${shortName(region)}-az${index + 1}` }));
};
