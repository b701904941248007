import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { identityRef } from '../schema/aws-identity.ts';
import { instance } from '../schema/aws-instance.ts';
import { loadBalancerSpec, networkStatus } from '../schema/aws-load-balancer.ts';
import { networkSpec, tags } from '../schema/aws-network.ts';
import { flag, int32, keyedList, list, mapOf, options, struct, text, textMap } from '../schema/fields.ts';
import { legacyConditions } from '../schema/meta.ts';

const bastion = options({
  enabled: flag,
  disableIngressRules: flag,
  allowedCIDRBlocks: list(z.string()),
  instanceType: z.string(),
  ami: z.string(),
});

const s3Bucket = struct(
  {
    name: z
      .string()
      .min(3)
      .max(63)
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  },
  {
    controlPlaneIAMInstanceProfile: z.string(),
    nodesIAMInstanceProfiles: list(z.string()),
    additionalIAMRoles: keyedList(
      ['name', 'prefix'],
      struct({ name: text(1, 128, '^[\\w+=,.@-]+$'), prefix: text(1, 512) }, {}),
    ),
    presignedURLDuration: z.string(),
    bestEffortDeleteObjects: flag,
  },
);

export const awsClusterSpec = options({
  network: networkSpec,
  region: z.string(),
  partition: z.string(),
  sshKeyName: z.string(),
  controlPlaneEndpoint: options({ host: z.string().max(512), port: int32() }),
  additionalTags: tags,
  controlPlaneLoadBalancer: loadBalancerSpec,
  secondaryControlPlaneLoadBalancer: loadBalancerSpec,
  imageLookupFormat: z.string(),
  imageLookupOrg: z.string(),
  imageLookupBaseOS: z.string(),
  bastion,
  identityRef,
  s3Bucket,
});

const status = options({
  ready: flag.default(false),
  networkStatus,
  failureDomains: mapOf(options({ controlPlane: flag, attributes: textMap })),
  bastion: instance,
  conditions: legacyConditions,
});

export const awsClusterSchema = options({ spec: awsClusterSpec, status });

export type AWSClusterSpec = z.input<typeof awsClusterSpec>;
export type AWSClusterStatus = z.input<typeof status>;

/**
 * Defaulting sets `spec`, `spec.region`, `spec.network.vpc` with its CIDR, `spec.network.cni`,
 * `spec.controlPlaneLoadBalancer` and `spec.identityRef`. As in upstream, conditions have the v1beta1 form.
 */
export interface AWSCluster extends KubeObject {
  spec: AWSClusterSpec;
  status?: AWSClusterStatus;
}
