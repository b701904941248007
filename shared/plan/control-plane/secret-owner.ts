import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Secret } from '../../kinds/index.ts';
import type { OwnerReference } from '../../kube-api/object.ts';
import { GROUP } from '../labels.ts';
import { withControlPlane } from './adoption.ts';

/** The type of the Secrets that controllers of Cluster API create; those of users have another one. */
const CLUSTER_SECRET_TYPE = 'cluster.x-k8s.io/secret';

/**
 * Bootstrap configurations create the key material of clusters without a control plane object, and another control
 * plane has created that of the one to which the Cluster referred before.
 */
const yields = ({ apiVersion }: OwnerReference): boolean =>
  apiVersion.startsWith(`${GROUP.bootstrap}/`) || apiVersion.startsWith(`${GROUP.controlPlane}/`);

/**
 * A Secret of a cluster with the cluster's control plane as its controller, as upstream (ensureCertificatesOwnerRef,
 * adoptKubeconfigSecret). Undefined if it is already, or if a user or another system has created it; upstream also
 * replaces other systems.
 */
export const ownedByControlPlane = (secret: Secret, controlPlane: ControlPlane): Secret | undefined =>
  secret.type === CLUSTER_SECRET_TYPE ? withControlPlane(secret, controlPlane, yields) : undefined;
