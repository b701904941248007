import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { DesiredInput } from '../desired-input.ts';
import { sharedTags } from '../parts.ts';
import type { WantedCarrierGateway } from './model.ts';

/** True if a public subnet is in a Wavelength Zone, which needs a carrier gateway. */
const hasCarrier = ({ network }: AWSClusterSpec): boolean =>
  (network?.subnets ?? []).some(({ isPublic, zoneType }) => isPublic && zoneType === 'wavelength-zone');

export const desiredCarrierGateway = (input: DesiredInput): WantedCarrierGateway =>
  // Upstream gives it the name of the internet gateway.
  hasCarrier(input.spec) ? { carrierGatewayTags: sharedTags(input, 'igw') } : {};
