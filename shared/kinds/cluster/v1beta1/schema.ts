import * as z from 'zod';
import { flag, int32, int64, keyedList, list, mapOf, options, struct, text, textMap } from '../../schema/fields.ts';
import { conditionGate } from '../../schema/meta.ts';
import { conditionStatus, failures, reference } from '../../v1beta1/schema.ts';
import { clusterSchema } from '../schema.ts';
import { oldTopology } from './topology.ts';

export const oldClusterSchema = () => {
  const ranges = struct({ cidrBlocks: list(text(1, 43), { max: 100 }) }, {});
  const spec = options({
    paused: flag,
    clusterNetwork: options({
      apiServerPort: int32(),
      services: ranges,
      pods: ranges,
      serviceDomain: text(1, 253),
    }),
    controlPlaneEndpoint: options({ host: text(0, 512), port: int32() }),
    controlPlaneRef: reference(),
    infrastructureRef: reference(),
    topology: oldTopology(),
    availabilityGates: keyedList(['conditionType'], conditionGate, { max: 32 }),
  });
  const known = clusterSchema.shape.status.unwrap().shape;
  const status = options({
    ...conditionStatus({ controlPlane: known.controlPlane, workers: known.workers }),
    ...failures(),
    failureDomains: mapOf(options({ controlPlane: flag, attributes: textMap })),
    phase: z.enum(['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown']),
    infrastructureReady: flag,
    controlPlaneReady: flag,
    observedGeneration: int64(),
  });
  return options({ spec, status });
};
