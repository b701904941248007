/** The tags of both are set on an instance. */
const TAGS = 'spec.additionalTags of the AWSMachine and the AWSCluster';

/** Error codes of RunInstances by the field that causes them. */
const BY_CODE: readonly (readonly [RegExp, string])[] = [
  [/^TagLimitExceeded/, TAGS],
  [/^InvalidAMIID/, 'spec.ami.id'],
  [/^InvalidKeyPair/, 'spec.sshKeyName'],
  [/^InvalidSubnet/, 'spec.subnet'],
  [/^InvalidGroup|^InvalidSecurityGroup/, 'spec.additionalSecurityGroups or spec.securityGroupOverrides'],
  [
    /^InvalidBlockDeviceMapping|^InvalidSnapshot|^InvalidVolume|^VolumeTypeNotAvailable/,
    'spec.rootVolume or spec.nonRootVolumes',
  ],
  [/^InvalidNetworkInterface/, 'spec.networkInterfaces'],
  [/^InvalidPlacementGroup/, 'spec.placementGroupName'],
  [/^InvalidHost|^InsufficientCapacityOnHost/, 'spec.hostID'],
  [/^InvalidCapacityReservation|^ReservationCapacityExceeded/, 'spec.capacityReservationId'],
  [/^SpotMaxPriceTooLow|^MaxSpotInstanceCount/, 'spec.spotMarketOptions'],
  [/^InvalidInstanceType|^Unsupported$|^InsufficientInstanceCapacity/, 'spec.instanceType'],
];

/** Codes that several fields share; the message decides. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/\btag (key|value)s?\b/i, TAGS],
  [/iamInstanceProfile|instance profile/i, 'spec.iamInstanceProfile'],
  [/user data/i, 'the user data'],
  [/InstanceType|instance type/i, 'spec.instanceType'],
  [/volume|snapshot|iops|throughput/i, 'spec.rootVolume or spec.nonRootVolumes'],
  [/partition number|placement group/i, 'spec.placementGroupName'],
  [/tenancy/i, 'spec.tenancy'],
  [/cpuoptions|SevSnp|virtualization/i, 'spec.cpuOptions'],
  [/hostname|resource.?name/i, 'spec.privateDnsName'],
];

/** The field of an AWSMachine that has caused an error of RunInstances, if it can be determined. */
export const blamedField = (code: string, message: string): string | undefined =>
  (BY_CODE.find(([pattern]) => pattern.test(code)) ??
    (/^(Invalid|Missing)Parameter|^Validation/.test(code)
      ? BY_MESSAGE.find(([pattern]) => pattern.test(message))
      : undefined))?.[1];
