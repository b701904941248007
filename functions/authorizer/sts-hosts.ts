const SUFFIXES: readonly [pattern: RegExp, suffix: string][] = [
  [/^cn-/, 'amazonaws.com.cn'],
  [/^us-iso-/, 'c2s.ic.gov'],
  [/^us-isob-/, 'sc2s.sgov.gov'],
  [/^[a-z]{2,3}(-gov)?-[a-z]+-\d$/, 'amazonaws.com'],
];

/**
 * The STS hosts that a token may point to: the endpoint of our own region, and no other. A token for another region or
 * for the global endpoint is refused; `aws eks get-token --region` sets it. Throws for a region of an unknown partition.
 */
export const stsHosts = (region: string): readonly string[] => {
  const suffix = SUFFIXES.find(([pattern]) => pattern.test(region))?.[1];
  if (suffix === undefined) throw new Error(`the STS endpoint of the region "${region}" is not known`);
  return [`sts.${region}.${suffix}`];
};
