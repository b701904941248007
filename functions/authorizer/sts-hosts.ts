import { partitionOf } from '../../shared/partitions.ts';

/**
 * The STS hosts that a token may point to: the endpoints of our own region, and no others. A token for another region or
 * for the global endpoint is refused; `aws eks get-token --region` sets it. A client that is set to FIPS or dual-stack
 * endpoints signs for those, and aws-iam-authenticator accepts them as well. Throws for a region of an unknown partition.
 */
export const stsHosts = (region: string): readonly string[] => {
  const { name, suffix, dualStackSuffix } = partitionOf(region);
  const ends = [`${region}.${suffix}`, `${region}.${dualStackSuffix}`];
  // In the partition of the US government, the usual endpoint is the FIPS endpoint.
  return ends.flatMap((end) => [
    `sts.${end}`,
    ...(name === 'aws-us-gov' && end === ends[0] ? [] : [`sts-fips.${end}`]),
  ]);
};
