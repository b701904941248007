import type { BootstrapConfig } from '../../kinds/contract-objects.ts';
import type { Machine } from '../../kinds/index.ts';
import { formatTime } from '../../kube-api/object.ts';
import { ANNOTATION, isControlPlaneMachine } from '../labels.ts';

/** The configuration with the expiry date of its machine, unless it already has one: a user may know better. */
export const withCertificatesExpiry = (config: BootstrapConfig, expiry: Date): BootstrapConfig | undefined =>
  config.metadata.annotations?.[ANNOTATION.certificatesExpiry]
    ? undefined
    : {
        ...config,
        metadata: {
          ...config.metadata,
          annotations: { ...config.metadata.annotations, [ANNOTATION.certificatesExpiry]: formatTime(expiry) },
        },
      };

/**
 * `status.certificatesExpiryDate` of a machine: from its own annotation, or else from its bootstrap configuration.
 * Undefined for workers, and for an invalid time.
 */
export const certificatesExpiryDate = (machine: Machine, config: BootstrapConfig | undefined): string | undefined => {
  if (!isControlPlaneMachine(machine)) return undefined;
  const text = [machine, config]
    .map((object) => object?.metadata.annotations?.[ANNOTATION.certificatesExpiry])
    .find((value) => value !== undefined);
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : formatTime(new Date(time));
};
