/**
 * AWS's partitions: what regions, ARNs and host names have in common. The SDK has the same table, but planners and the
 * functions that start for every request import no SDK. A test compares the two tables.
 */

export interface Partition {
  /** The second part of ARNs. */
  name: string;
  /** The suffix of the host names of regional services. */
  suffix: string;
  /** The same for host names that also have IPv6 addresses. */
  dualStackSuffix: string;
  /** The host name of the management console without its region; undefined if it is not public. */
  console?: string;
}

const PARTITIONS: readonly (Partition & { regions: RegExp })[] = [
  {
    name: 'aws-cn',
    regions: /^cn-\w+-\d+$/,
    suffix: 'amazonaws.com.cn',
    dualStackSuffix: 'api.amazonwebservices.com.cn',
    console: 'console.amazonaws.cn',
  },
  {
    name: 'aws-us-gov',
    regions: /^us-gov-\w+-\d+$/,
    suffix: 'amazonaws.com',
    dualStackSuffix: 'api.aws',
    console: 'console.amazonaws-us-gov.com',
  },
  {
    name: 'aws-eusc',
    regions: /^eusc-[a-z]+-\w+-\d+$/,
    suffix: 'amazonaws.eu',
    dualStackSuffix: 'api.amazonwebservices.eu',
  },
  { name: 'aws-iso', regions: /^us-iso-\w+-\d+$/, suffix: 'c2s.ic.gov', dualStackSuffix: 'api.aws.ic.gov' },
  { name: 'aws-iso-b', regions: /^us-isob-\w+-\d+$/, suffix: 'sc2s.sgov.gov', dualStackSuffix: 'api.aws.scloud' },
  {
    name: 'aws-iso-e',
    regions: /^eu-isoe-\w+-\d+$/,
    suffix: 'cloud.adc-e.uk',
    dualStackSuffix: 'api.cloud-aws.adc-e.uk',
  },
  {
    name: 'aws-iso-f',
    regions: /^us-isof-\w+-\d+$/,
    suffix: 'csp.hci.ic.gov',
    dualStackSuffix: 'api.aws.hci.ic.gov',
  },
  // This partition must be the last: the names of its new regions may begin with letters that no table contains yet.
  {
    name: 'aws',
    regions: /^[a-z]{2}-\w+-\d+$/,
    suffix: 'amazonaws.com',
    dualStackSuffix: 'api.aws',
    console: 'console.aws.amazon.com',
  },
];

/** The suffixes of the host names of regional services, in all partitions. */
export const SUFFIXES: readonly string[] = [...new Set(PARTITIONS.map(({ suffix }) => suffix))];

/** The partition of a region; undefined for a region name of an unknown form. */
export const findPartition = (region: string): Partition | undefined =>
  PARTITIONS.find(({ regions }) => regions.test(region));

/** The same. Throws for a region name of an unknown form. */
export const partitionOf = (region: string): Partition => {
  const found = findPartition(region);
  if (found === undefined) throw new Error(`the partition of the region "${region}" is not known`);
  return found;
};
