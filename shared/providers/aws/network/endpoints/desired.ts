import { buildTags } from '../../tags.ts';
import type { DesiredInput } from '../desired-input.ts';
import type { WantedEndpoint } from './model.ts';

/** Machines read their boot data from the bucket. With an endpoint, they do not use the NAT gateways for this. */
export const desiredEndpoint = ({ cluster, spec, region = spec.region }: DesiredInput): WantedEndpoint => ({
  endpoint:
    spec.s3Bucket && region
      ? {
          serviceName: `com.amazonaws.${region}.s3`,
          // Upstream does not give it a Name.
          tags: buildTags({ cluster, role: 'common', additional: spec.additionalTags }),
        }
      : undefined,
});
