import type { AWSCluster, AWSMachine } from '../../../../kinds/index.ts';
import type { ImageQuery } from '../launch/image.ts';
import type { Quota } from './quotas.ts';

/** A key that a volume is encrypted with, and the field that says so; undefined: the account's own choice. */
export interface WantedKey {
  field: string;
  key: string | undefined;
}

/** Identical machines of a control plane or a MachineDeployment. */
export interface WantedMachines {
  /** `AWSMachineTemplate red-md-0`, whose fields are at fault. */
  template: string;
  /** Where in it the fields of a machine are. */
  field: string;
  count: number;
  /** In the order in which they are taken; the first one is counted. */
  instanceTypes: readonly string[];
  isSpot: boolean;
  /** Whether they count as vCPUs: those on dedicated hosts do not. */
  countsVcpus: boolean;
  profile: string | undefined;
  /** They must be in one of these; undefined if any of the cluster's zones will do. */
  zones: readonly string[] | undefined;
  /** Whether they go to the cluster's own choice of subnets. */
  isPlacedByCluster: boolean;
  /** Subnets that the template names by EC2's ids. */
  subnets: readonly { field: string; id: string }[];
  /** Files of their configuration that must fit into the user data of a launch template. */
  files?: { field: string; bytes: number };
  /** Of the volumes of a pool's instances, which Auto Scaling launches by a role of its own. */
  keys?: readonly WantedKey[];
  version: string;
  /** The lookup of images. */
  machine: AWSMachine;
}

/** A subnet of the layout; with an id it exists already. */
export interface WantedSubnet {
  field: string;
  id: string | undefined;
  cidrBlock: string | undefined;
  zone: string;
  isPublic: boolean;
}

/** The part of a cluster that is made before its machines. */
export interface WantedNetwork {
  /** Undefined for a user's VPC. */
  vpc: { cidrBlock: string | undefined; tags: Readonly<Record<string, string>> } | undefined;
  vpcId: string | undefined;
  /** Of Amazon's own pool. */
  addresses: number;
  addressTags: Readonly<Record<string, string>>;
  networkLoadBalancers: number;
  classicLoadBalancers: number;
  /** Zones that get a NAT gateway each. */
  natZones: readonly string[];
}

/** What a cluster needs of an account. */
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
  /** As EC2 names them: `x86_64`, `arm64`. */
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

/** A key of KMS. `isCustomers`: its policy decides who may use it, which is not so for keys that AWS keeps. */
export interface VolumeKeyFacts {
  arn: string;
  isCustomers: boolean;
  /** As KMS names it: `Enabled`, `Disabled`, `PendingDeletion`. */
  state: string;
  /** JSON. */
  policy: Fact<string>;
  /** The operations that grants allow Auto Scaling's role, `Decrypt`. */
  grants: Fact<readonly string[]>;
}

export interface GroupLimit {
  limit: number;
  used: number;
}

/** What AWS answers to a call that is only tried: nothing, or its refusal. */
export interface Permission {
  action: string;
  refusal: Fact<string | undefined>;
}

/** The account's facts; those not queried are undefined. */
export interface Facts {
  /** By their codes; undefined for one that Service Quotas does not know in the region. */
  quotas: ReadonlyMap<string, Fact<number | undefined>>;
  vpcs?: Fact<number>;
  addresses?: Fact<number>;
  networkLoadBalancers?: Fact<number>;
  classicLoadBalancers?: Fact<number>;
  /** In the cluster's zone that has the most; of all zones together while that is below the minimum quota. */
  natGateways?: Fact<number>;
  running?: Fact<readonly RunningInstances[]>;
  /** Auto Scaling's own limit of groups in the region, and how many there are. */
  groups?: Fact<GroupLimit>;
  /** Auto Scaling's service-linked role; without an ARN there is none. */
  serviceRole?: Fact<{ arn?: string }>;
  /** Whether the first group may make Auto Scaling create that role: the functions' own roles have the right. */
  makesServiceRole?: boolean;
  /** What encrypts volumes that name no key. */
  volumeKey?: Fact<string | undefined>;
  /** By the names that volumes have for them; undefined for one that does not exist. */
  keys?: ReadonlyMap<string, Fact<VolumeKeyFacts | undefined>>;
  /** Of those that EC2 knows. */
  types?: Fact<ReadonlyMap<string, InstanceTypeFacts>>;
  /** The zones in which types are available. */
  offers?: Fact<ReadonlyMap<string, readonly string[]>>;
  /** By `imageKey`; undefined if there is none. */
  images: ReadonlyMap<string, Fact<ImageFacts | undefined>>;
  /** By name: whether there is one. */
  profiles: ReadonlyMap<string, Fact<boolean>>;
  /** Free addresses by subnet id, of those subnets that exist. */
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

/** A quota and how much of it a cluster needs. */
export interface Need {
  quota: Quota;
  needed: number;
  used: Fact<number> | undefined;
}

/** Images are looked up once, for any number of machines. */
export const imageKey = (query: ImageQuery): string => JSON.stringify(query);
