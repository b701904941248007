import type { Image, InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { AWSMachineTemplate } from '../../../../kinds/index.ts';

type Status = NonNullable<AWSMachineTemplate['status']>;
type NodeInfo = NonNullable<Status['nodeInfo']>;

const ARCHITECTURES: Readonly<Record<string, NodeInfo['architecture']>> = { x86_64: 'amd64', arm64: 'arm64' };

/** The resources of a machine with an instance type, in the form of Cluster API's AWS provider. */
export const capacityOf = ({ VCpuInfo, MemoryInfo }: InstanceTypeInfo): Record<string, string> => ({
  ...(VCpuInfo?.DefaultVCpus === undefined ? {} : { cpu: String(VCpuInfo.DefaultVCpus) }),
  ...(MemoryInfo?.SizeInMiB === undefined ? {} : { memory: `${MemoryInfo.SizeInMiB}Mi` }),
});

const isWindows = ({ Platform, PlatformDetails = '' }: Image): boolean =>
  Platform === 'Windows' || PlatformDetails.toLowerCase().includes('windows');

/**
 * The platform of a machine: according to its image if that is given, or else to its type, which must allow only one
 * architecture. Machines whose image is looked up run Linux, because nothing else can become a node here.
 */
export const nodeInfoOf = ({ ProcessorInfo }: InstanceTypeInfo, image: Image | undefined): NodeInfo | undefined => {
  const [only, ...others] = ProcessorInfo?.SupportedArchitectures ?? [];
  const architecture = ARCHITECTURES[image?.Architecture ?? (others.length === 0 ? (only ?? '') : '')];
  if (!architecture) return undefined;
  return { architecture, operatingSystem: image && isWindows(image) ? 'windows' : 'linux' };
};
