/** Attributes of classic load balancers. They are only stored: nothing is logged, drained, or closed when idle. */
import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { ClassicLoadBalancer } from './state.ts';

const DRAINING: sdk.ConnectionDraining = { Enabled: false, Timeout: 300 };
const NO_LOG: sdk.AccessLog = { Enabled: false };

const KNOWN = ['CrossZoneLoadBalancing', 'ConnectionSettings', 'ConnectionDraining', 'AccessLog'];

const inRange = (name: string, value: number | undefined, least: number, most: number): void => {
  if (value !== undefined && (value < least || value > most))
    throw new AwsFault('ValidationError', `${name} must be between ${least} and ${most}`);
};

const checkLog = ({ Enabled, S3BucketName, EmitInterval }: sdk.AccessLog): void => {
  if (Enabled && !S3BucketName)
    throw new AwsFault('InvalidConfigurationRequest', 'S3BucketName must be set if access logs are enabled');
  if (EmitInterval !== undefined && ![5, 60].includes(EmitInterval))
    throw new AwsFault('InvalidConfigurationRequest', 'The emit interval of access logs must be 5 or 60 minutes');
};

export const attributesOf = ({ attributes }: ClassicLoadBalancer): sdk.LoadBalancerAttributes => ({
  CrossZoneLoadBalancing: { Enabled: attributes.crossZone },
  ConnectionSettings: { IdleTimeout: attributes.idleTimeout },
  ConnectionDraining: attributes.draining ?? DRAINING,
  AccessLog: attributes.accessLog ?? NO_LOG,
});

export const setAttributes = (found: ClassicLoadBalancer, wanted: sdk.LoadBalancerAttributes = {}): void => {
  onlySimulated('elasticloadbalancing:ModifyLoadBalancerAttributes', wanted, KNOWN);
  const { CrossZoneLoadBalancing, ConnectionSettings, ConnectionDraining, AccessLog } = wanted;
  inRange('IdleTimeout', ConnectionSettings?.IdleTimeout, 1, 4000);
  inRange('the timeout of ConnectionDraining', ConnectionDraining?.Timeout, 1, 3600);
  if (AccessLog) checkLog(AccessLog);
  const { crossZone, idleTimeout, draining, accessLog } = found.attributes;
  found.attributes = {
    crossZone: CrossZoneLoadBalancing?.Enabled ?? crossZone,
    idleTimeout: ConnectionSettings?.IdleTimeout ?? idleTimeout,
    draining: ConnectionDraining ? { Timeout: draining?.Timeout ?? DRAINING.Timeout, ...ConnectionDraining } : draining,
    accessLog: AccessLog ? { ...AccessLog } : accessLog,
  };
};
