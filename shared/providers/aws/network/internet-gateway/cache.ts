import { addTo, changeIn } from '../cached-lists.ts';
import type { DriverCache } from '../driver.ts';

export const internetGatewayCache: DriverCache = {
  reads: ['describeInternetGateways'],
  updates: {
    createInternetGateway: (known, id, tags) => addTo(known, 'describeInternetGateways', { id, tags }),
    attachInternetGateway: (known, _, { internetGatewayId, vpcId }) =>
      changeIn(known, 'describeInternetGateways', internetGatewayId, (gateway) => ({ ...gateway, vpcId })),
  },
};
