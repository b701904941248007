import type { PemPair } from '../../../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../../../shared/clock.ts';
import { formatTime } from '../../../../../shared/kube-api/object.ts';
import type { ObjectClient } from '../../../../../shared/kube-api/storage/client.ts';
import type { Random } from '../../../../../shared/random.ts';
import { signRequest } from '../../kubeadm/signing-request.ts';
import { certificateSigningRequest } from '../kinds.ts';
import type { CertificateSigningRequest } from '../objects.ts';

const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';

/** kubeadm allows the group of its default token to request node certificates; a node may renew its own. */
const isApprovable = ({ spec }: CertificateSigningRequest): boolean =>
  (spec.groups ?? []).some((group) =>
    ['system:bootstrappers:kubeadm:default-node-token', 'system:nodes'].includes(group),
  );

const hasOutcome = ({ status }: CertificateSigningRequest): boolean =>
  Boolean(status?.certificate) || (status?.conditions ?? []).some(({ type }) => type === 'Denied' || type === 'Failed');

const isApproved = ({ status }: CertificateSigningRequest): boolean =>
  (status?.conditions ?? []).some(({ type }) => type === 'Approved');

/**
 * csrapproving and csrsigning of kube-controller-manager, for the certificates with which kubelets connect to the API
 * server: approves requests that a bootstrap token may make, and signs approved ones. A request that is not for a
 * node's certificate fails with the reason.
 */
export const reconcileSigningRequests = async (
  objects: ObjectClient,
  ca: PemPair,
  { clock, random }: { clock: Clock; random: Random },
): Promise<void> => {
  const requests: CertificateSigningRequest[] = await objects.list(certificateSigningRequest);
  const open = requests.filter((request) => request.spec.signerName === KUBELET_CLIENT && !hasOutcome(request));
  for (const request of open) {
    if (!isApproved(request) && !isApprovable(request)) continue;
    const status = await outcomeOf(request, ca, { clock, random });
    await objects.mutate(certificateSigningRequest, { namespace: '', name: request.metadata.name }, (current) =>
      hasOutcome(current) ? undefined : { ...current, status },
    );
  }
};

const outcomeOf = async (
  request: CertificateSigningRequest,
  ca: PemPair,
  { clock, random }: { clock: Clock; random: Random },
): Promise<CertificateSigningRequest['status']> => {
  const lastUpdateTime = formatTime(clock.now());
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
    lastUpdateTime,
  };
  try {
    const certificate = await signRequest(Buffer.from(request.spec.request, 'base64').toString('utf8'), ca, {
      clock,
      random,
    });
    return { conditions: [approved], certificate: Buffer.from(certificate).toString('base64') };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      conditions: [
        approved,
        { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message, lastUpdateTime },
      ],
    };
  }
};
