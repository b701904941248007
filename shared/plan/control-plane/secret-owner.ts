import type { ControlPlane } from '../../kinds/contract-objects.ts';
import type { Secret } from '../../kinds/index.ts';
import type { OwnerReference } from '../../kube-api/object.ts';
import { GROUP } from '../labels.ts';
import { withControlPlane } from './adoption.ts';

/** The type of the Secrets that Cluster API's controllers create. Secrets of users have another type. */
const CLUSTER_SECRET_TYPE = 'cluster.x-k8s.io/secret';

/**
 * Bootstrap configurations create the key material of clusters without a control plane object; and after the Cluster's
 * reference was changed, the key material may have been created by the earlier control plane.
 */
const yields = ({ apiVersion }: OwnerReference): boolean =>
  apiVersion.startsWith(`${GROUP.bootstrap}/`) || apiVersion.startsWith(`${GROUP.controlPlane}/`);

/**
 * A cluster's Secret with the cluster's control plane as its controller, as in upstream (ensureCertificatesOwnerRef,
 * adoptKubeconfigSecret). Undefined if it already is, or if a user or another system has created the Secret; upstream
 * also replaces other systems.
 */
export const ownedByControlPlane = (secret: Secret, controlPlane: ControlPlane): Secret | undefined =>
  secret.type === CLUSTER_SECRET_TYPE ? withControlPlane(secret, controlPlane, yields) : undefined;
