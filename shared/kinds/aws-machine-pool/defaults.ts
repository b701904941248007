import { defaultIgnition } from '../aws-machine/defaults.ts';
import type { AWSMachinePool } from './schema.ts';

/** 300 seconds in Go's format: the provider's default. */
const FIVE_MINUTES = '5m0s';

const ZERO = /^[+-]?0+(\.0*)?(ns|us|µs|ms|s|m|h)?$/;

const orFiveMinutes = (duration: string | undefined): string =>
  duration === undefined || ZERO.test(duration) ? FIVE_MINUTES : duration;

/** CAPA's defaults (exp/webhooks/awsmachinepool_webhook.go). */
export const defaultAWSMachinePool = (pool: AWSMachinePool): AWSMachinePool => {
  const { spec } = pool;
  if (!spec) return pool;
  return {
    ...pool,
    spec: {
      ...spec,
      defaultCoolDown: orFiveMinutes(spec.defaultCoolDown),
      defaultInstanceWarmup: orFiveMinutes(spec.defaultInstanceWarmup),
      ...(spec.ignition ? { ignition: defaultIgnition(spec.ignition) } : {}),
    },
  };
};
