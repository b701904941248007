import { buildTags } from '../../tags.ts';
import type { DesiredInput } from '../desired-input.ts';
import type { WantedEndpoint } from './model.ts';

/** Machines read their boot data from the bucket: with an endpoint not over the NAT gateways. */
export const desiredEndpoint = ({ cluster, spec, region = spec.region }: DesiredInput): WantedEndpoint => ({
  endpoint:
    spec.s3Bucket && region
      ? {
          serviceName: `com.amazonaws.${region}.s3`,
          // Upstream gives it no Name.
          tags: buildTags({ cluster, role: 'common', additional: spec.additionalTags }),
        }
      : undefined,
});
