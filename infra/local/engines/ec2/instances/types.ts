/** The instance types of the simulated EC2: general purpose, compute and memory families, and one with a GPU. */
import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import { applyFilters, type FilterFields } from '../filters.ts';
import type { Ec2 } from '../state.ts';
import { zonesOf } from '../zones.ts';

export interface InstanceTypeFacts {
  readonly name: sdk._InstanceType;
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly architecture: 'x86_64' | 'arm64';
  readonly isBurstable: boolean;
  readonly cores: number;
  /** The size of the NVMe disk of a type with one GPU. */
  readonly diskGb?: number;
}

type Sizes = Readonly<Record<string, readonly [vcpus: number, memoryGib: number]>>;

/** Sizes of families with `gibPerCpu` GiB of memory for each vCPU. */
const regular = (gibPerCpu: number): Sizes =>
  Object.fromEntries(
    [
      ['large', 2],
      ['xlarge', 4],
      ['2xlarge', 8],
      ['4xlarge', 16],
      ['8xlarge', 32],
    ].map(([size, vcpus]) => [size, [Number(vcpus), Number(vcpus) * gibPerCpu] as const]),
  );

const BURSTABLE: Sizes = {
  nano: [2, 0.5],
  micro: [2, 1],
  small: [2, 2],
  medium: [2, 4],
  large: [2, 8],
  xlarge: [4, 16],
  '2xlarge': [8, 32],
};

const BURSTABLE_T2: Sizes = { ...BURSTABLE, nano: [1, 0.5], micro: [1, 1], small: [1, 2] };
const GRAVITON_MEDIUM = (gib: number): Sizes => ({ medium: [1, gib] });

const FAMILIES: Readonly<Record<string, Sizes>> = {
  t2: BURSTABLE_T2,
  t3: BURSTABLE,
  t3a: BURSTABLE,
  t4g: BURSTABLE,
  m5: regular(4),
  m6i: regular(4),
  m7i: regular(4),
  m6g: { ...GRAVITON_MEDIUM(4), ...regular(4) },
  m7g: { ...GRAVITON_MEDIUM(4), ...regular(4) },
  c5: { ...regular(2) },
  c6i: regular(2),
  c7i: regular(2),
  c7g: { ...GRAVITON_MEDIUM(2), ...regular(2) },
  g4dn: Object.fromEntries(Object.entries(regular(4)).filter(([size]) => size !== 'large')),
  r5: regular(8),
  r6i: regular(8),
  r7g: { ...GRAVITON_MEDIUM(8), ...regular(8) },
};

/** Types with one NVIDIA T4 and a disk. */
const G4DN: Readonly<Record<string, number>> = { xlarge: 125, '2xlarge': 225, '4xlarge': 225, '8xlarge': 900 };
const T4_MEMORY_MIB = 16_384;

/** Families in us-east-1e, the oldest zone of its region. */
const OLD_FAMILIES: readonly string[] = ['t2'];

const familyOf = (type: string): string => type.split('.')[0] ?? '';

const CATALOGUE: ReadonlyMap<string, InstanceTypeFacts> = new Map(
  Object.entries(FAMILIES).flatMap(([family, sizes]) =>
    Object.entries(sizes).map(([size, [vcpus, gib]]) => {
      const isArm = /^[a-z]\dg/.test(family);
      const isSingleThreaded = isArm || family === 't2';
      const facts: InstanceTypeFacts = {
        name: `${family}.${size}` as sdk._InstanceType,
        vcpus,
        memoryMib: gib * 1024,
        architecture: isArm ? 'arm64' : 'x86_64',
        isBurstable: family.startsWith('t'),
        cores: isSingleThreaded ? vcpus : vcpus / 2,
        ...(family === 'g4dn' && G4DN[size] !== undefined ? { diskGb: G4DN[size] } : {}),
      };
      return [facts.name, facts];
    }),
  ),
);

/** The data about an instance type, or undefined if no zone offers it. */
export const instanceTypeFacts = (name: string): InstanceTypeFacts | undefined => CATALOGUE.get(name);

/** Whether a zone offers a type. */
export const isOffered = (zone: string, type: string): boolean =>
  zone !== 'us-east-1e' || OLD_FAMILIES.includes(familyOf(type));

const typeFields: FilterFields<InstanceTypeFacts & { tags: Map<string, string> }> = {
  'instance-type': ({ name }) => name,
  'current-generation': ({ name }) => familyOf(name) !== 't2',
  'processor-info.supported-architecture': ({ architecture }) => architecture,
  'vcpu-info.default-vcpus': ({ vcpus }) => vcpus,
  'memory-info.size-in-mib': ({ memoryMib }) => memoryMib,
  'burstable-performance-supported': ({ isBurstable }) => isBurstable,
  'supported-usage-class': () => ['on-demand', 'spot'],
  'supported-virtualization-type': () => 'hvm',
  'bare-metal': () => false,
  hypervisor: ({ name }) => (familyOf(name) === 't2' ? 'xen' : 'nitro'),
};

const gpuAndDisk = (diskGb: number): Pick<sdk.InstanceTypeInfo, 'GpuInfo' | 'InstanceStorageInfo'> => ({
  GpuInfo: {
    Gpus: [{ Name: 'T4', Manufacturer: 'NVIDIA', Count: 1, MemoryInfo: { SizeInMiB: T4_MEMORY_MIB } }],
    TotalGpuMemoryInMiB: T4_MEMORY_MIB,
  },
  InstanceStorageInfo: {
    TotalSizeInGB: diskGb,
    Disks: [{ SizeInGB: diskGb, Count: 1, Type: 'ssd' }],
    NvmeSupport: 'required',
    EncryptionSupport: 'required',
  },
});

const view = (facts: InstanceTypeFacts): sdk.InstanceTypeInfo => ({
  InstanceType: facts.name,
  CurrentGeneration: familyOf(facts.name) !== 't2',
  FreeTierEligible: facts.name === 't3.micro' || facts.name === 't2.micro',
  BareMetal: false,
  Hypervisor: familyOf(facts.name) === 't2' ? 'xen' : 'nitro',
  BurstablePerformanceSupported: facts.isBurstable,
  SupportedUsageClasses: ['on-demand', 'spot'],
  SupportedRootDeviceTypes: ['ebs'],
  SupportedVirtualizationTypes: ['hvm'],
  InstanceStorageSupported: facts.diskGb !== undefined,
  ...(facts.diskGb === undefined ? {} : gpuAndDisk(facts.diskGb)),
  ProcessorInfo: { SupportedArchitectures: [facts.architecture] },
  VCpuInfo: {
    DefaultVCpus: facts.vcpus,
    DefaultCores: facts.cores,
    DefaultThreadsPerCore: facts.vcpus / facts.cores,
  },
  MemoryInfo: { SizeInMiB: facts.memoryMib },
  NetworkInfo: {
    Ipv4AddressesPerInterface: facts.vcpus >= 8 ? 15 : 10,
    MaximumNetworkInterfaces: facts.vcpus >= 4 ? 4 : 3,
    Ipv6Supported: true,
    EnaSupport: familyOf(facts.name) === 't2' ? 'unsupported' : 'required',
  },
  EbsInfo: { EbsOptimizedSupport: 'default', EncryptionSupport: 'supported' },
});

const untagged = <Row extends object>(row: Row) => ({ ...row, tags: new Map<string, string>() });

const asked = (names: readonly string[] | undefined): InstanceTypeFacts[] => {
  if (!names?.length) return [...CATALOGUE.values()];
  const unknown = names.filter((name) => !CATALOGUE.has(name));
  if (unknown.length > 0)
    throw new AwsFault(
      'InvalidInstanceType',
      `The following supplied instance types do not exist: [${unknown.join(', ')}]`,
    );
  return names.flatMap((name) => CATALOGUE.get(name) ?? []);
};

/** Instance types, and the zones that offer them. */
export const instanceTypeActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  DescribeInstanceTypes: ({ InstanceTypes, Filters }) => ({
    InstanceTypes: applyFilters(asked(InstanceTypes).map(untagged), Filters, typeFields).map(view),
  }),
  DescribeInstanceTypeOfferings: ({ LocationType = 'region', Filters }) => {
    const { region } = ec2.place;
    const zones = zonesOf(region);
    const locations =
      LocationType === 'region'
        ? [{ name: region, location: region }]
        : zones.map(({ name, id }) => ({
            name,
            location: LocationType === 'availability-zone-id' ? id : name,
          }));
    const rows = locations.flatMap(({ name, location }) =>
      [...CATALOGUE.values()]
        .filter((facts) => isOffered(name, facts.name))
        .map((facts) => untagged({ facts, location })),
    );
    const found = applyFilters(rows, Filters, {
      'instance-type': ({ facts }) => facts.name,
      location: ({ location }) => location,
    });
    return {
      InstanceTypeOfferings: found.map(({ facts, location }) => ({
        InstanceType: facts.name,
        LocationType,
        Location: location,
      })),
    };
  },
});
