import type { User } from '../../../../shared/kube-api/server/user.ts';
import { StatusError } from '../../../../shared/kube-api/status-error.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

type Fields = Record<string, unknown>;

const readJson = async (request: Request): Promise<Fields> => {
  if (!/json/.test(request.headers.get('content-type') ?? '')) {
    throw new StatusError(415, 'UnsupportedMediaType', 'a CertificateSigningRequest is accepted as JSON only');
  }
  try {
    return (await request.json()) as Fields;
  } catch {
    throw new StatusError(400, 'BadRequest', 'the body of the request is not JSON');
  }
};

/**
 * The API server, not the client, records who requests a certificate: fills `spec.username` and `spec.groups` of a new
 * CertificateSigningRequest, on which its approval depends. An existing request cannot be overwritten this way. Other
 * requests pass unchanged. Throws StatusError.
 */
export const withRequester = async (request: Request, user: User): Promise<Request> => {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(REQUESTS) || request.method === 'GET' || request.method === 'DELETE') return request;
  if (request.method !== 'POST') {
    const isApproval = /\/(approval|status)$/.test(pathname);
    if (isApproval) return request;
    throw new StatusError(405, 'MethodNotAllowed', 'the spec of a CertificateSigningRequest cannot be changed');
  }
  const body = await readJson(request);
  const spec = { ...(body.spec as Fields | undefined), username: user.name, groups: [...user.groups] };
  return new Request(request.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: request.headers.get('accept') ?? '*/*' },
    body: JSON.stringify({ ...body, spec }),
  });
};
