import * as z from 'zod';
import { int64, options } from '../../schema/fields.ts';
import { machineAddresses } from '../../schema/meta.ts';
import { conditionStatus, failures, machineSpec, reference } from '../../v1beta1/schema.ts';
import { machineSchema } from '../schema.ts';

export const oldMachineSchema = () => {
  const known = machineSchema.shape.status.unwrap().shape;
  const status = options({
    ...conditionStatus({}),
    ...failures(),
    nodeRef: reference(),
    nodeInfo: known.nodeInfo,
    lastUpdated: known.lastUpdated,
    addresses: machineAddresses,
    phase: known.phase.unwrap().exclude(['Updating']),
    certificatesExpiryDate: known.certificatesExpiryDate,
    bootstrapReady: z.boolean(),
    infrastructureReady: z.boolean(),
    observedGeneration: int64(),
    deletion: known.deletion,
  });
  return options({ spec: machineSpec(), status });
};
