import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import type { ImageQuery } from '../launch/image.ts';
import type { Quota } from './quotas.ts';

/** The key with which a volume is encrypted, and the field that names it; undefined: the account's default. */
export interface WantedKey {
  field: string;
  key: string | undefined;
}

/** Identical machines of a control plane or a MachineDeployment. */
export interface WantedMachines {
  /** `AWSMachineTemplate red-md-0`, whose fields may contain the error. */
  template: string;
  /** The path of a machine's fields in the template. */
  field: string;
  count: number;
  /** In the order in which they are used; the first one is counted. */
  instanceTypes: readonly string[];
  isSpot: boolean;
  /** Whether their vCPUs count towards the quota: those on dedicated hosts do not. */
  countsVcpus: boolean;
  profile: string | undefined;
  /** They must be in one of these zones; undefined if any of the cluster's zones can be used. */
  zones: readonly string[] | undefined;
  /** Whether the cluster chooses their subnets. */
  isPlacedByCluster: boolean;
  /** Subnets that the template names by EC2's ids. */
  subnets: readonly { field: string; id: string }[];
  /** Files of their configuration that must fit into the user data of a launch template. */
  files?: { field: string; bytes: number };
  /** The keys of the volumes of a pool's instances, which Auto Scaling launches with its own role. */
  keys?: readonly WantedKey[];
  version: string;
  /** Input for the lookup of images. */
  machine: AWSMachine;
}

/** A subnet of the layout; if it has an id, it already exists. */
export interface WantedSubnet {
  field: string;
  id: string | undefined;
  cidrBlock: string | undefined;
  zone: string;
  isPublic: boolean;
}

/** The part of a cluster that is created before its machines. */
export interface WantedNetwork {
  /** Undefined for a user's VPC. */
  vpc: { cidrBlock: string | undefined; tags: Readonly<Record<string, string>> } | undefined;
  vpcId: string | undefined;
  /** The number of addresses from Amazon's own pool. */
  addresses: number;
  addressTags: Readonly<Record<string, string>>;
  networkLoadBalancers: number;
  classicLoadBalancers: number;
  /** Zones that get a NAT gateway each. */
  natZones: readonly string[];
}

/** The resources that a cluster needs from an account. */
export interface Wants {
  awsCluster: AWSCluster;
  network: WantedNetwork | undefined;
  machines: readonly WantedMachines[];
  /** How many Auto Scaling groups. */
  groups: number;
  subnets: readonly WantedSubnet[];
  zones: readonly string[];
}

/** A queried fact. `unknown`: AWS denied the query, with its message. */
export type Fact<T> = { value: T } | { unknown: string };

export interface InstanceTypeFacts {
  vcpus: number;
  /** In EC2's terms: `x86_64`, `arm64`. */
  architectures: readonly string[];
}

export interface ImageFacts {
  id: string;
  state: string;
  architecture: string;
  rootDeviceType: string;
  createdAt: string;
  /** RFC 3339. */
  deprecatedAt?: string;
}

/** Instances that run. */
export interface RunningInstances {
  instanceType: string;
  isSpot: boolean;
  vcpus: number;
}

/** A key of KMS. `isCustomers`: its policy decides who may use it, unlike that of keys that AWS manages. */
export interface VolumeKeyFacts {
  arn: string;
  isCustomers: boolean;
  /** KMS's state: `Enabled`, `Disabled`, `PendingDeletion`. */
  state: string;
  /** In JSON. */
  policy: Fact<string>;
  /** The operations that grants allow Auto Scaling's role, such as `Decrypt`. */
  grants: Fact<readonly string[]>;
}

export interface GroupLimit {
  limit: number;
  used: number;
}

/** AWS's response to a call that is only tried: nothing, or its refusal. */
export interface Permission {
  action: string;
  refusal: Fact<string | undefined>;
}

/** The account's facts; those not queried are undefined. */
export interface Facts {
  /** By quota code; undefined for a quota that Service Quotas does not have in the region. */
  quotas: ReadonlyMap<string, Fact<number | undefined>>;
  vpcs?: Fact<number>;
  addresses?: Fact<number>;
  networkLoadBalancers?: Fact<number>;
  classicLoadBalancers?: Fact<number>;
  /**
   * In the cluster's zone with the most gateways; the total of all zones as long as that is below the minimum quota.
   */
  natGateways?: Fact<number>;
  running?: Fact<readonly RunningInstances[]>;
  /** Auto Scaling's own limit of groups in the region, and the current number. */
  groups?: Fact<GroupLimit>;
  /** Auto Scaling's service-linked role; without an ARN, it does not exist. */
  serviceRole?: Fact<{ arn?: string }>;
  /** Whether the first group may make Auto Scaling create that role: the functions' own roles have this right. */
  makesServiceRole?: boolean;
  /** The key for volumes that name none. */
  volumeKey?: Fact<string | undefined>;
  /** By the names in the volumes; undefined for a key that does not exist. */
  keys?: ReadonlyMap<string, Fact<VolumeKeyFacts | undefined>>;
  /** The types among these that EC2 knows. */
  types?: Fact<ReadonlyMap<string, InstanceTypeFacts>>;
  /** The zones in which types are available. */
  offers?: Fact<ReadonlyMap<string, readonly string[]>>;
  /** By `imageKey`; undefined if there is none. */
  images: ReadonlyMap<string, Fact<ImageFacts | undefined>>;
  /** Whether a profile with the name exists. */
  profiles: ReadonlyMap<string, Fact<boolean>>;
  /** Free addresses by subnet id, for the subnets that exist. */
  free?: Fact<ReadonlyMap<string, number>>;
  permissions: readonly Permission[];
  /** Whether the functions can connect to an API server without a public address; undefined if unknown. */
  reachesPrivate?: boolean;
}

/** `missing`: why the cluster cannot be created. `unseen`: what could not be checked, and why. */
export interface Findings {
  missing: string[];
  unseen: string[];
}

/** A quota, and how much of it a cluster needs. */
export interface Need {
  quota: Quota;
  needed: number;
  used: Fact<number> | undefined;
}

/** Images are looked up once for any number of machines. */
export const imageKey = (query: ImageQuery): string => JSON.stringify(query);
