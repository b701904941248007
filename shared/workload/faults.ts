/** Why an API server could not be queried, in our own words: the text of another server may quote anything. */

/** A fault that we have found ourselves, with our own message. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
}

/** Texts for common error codes of Node and OpenSSL. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it did not answer in time',
  ENOTFOUND: 'its name does not resolve',
  ENODATA: 'its name has no address',
  ESERVFAIL: 'its name does not resolve for now',
  ETIMEOUT: 'its name servers did not answer in time',
  EAI_AGAIN: 'its name does not resolve for now',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by the authority of %s',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by the authority of %s',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is not signed by the authority of %s',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by the authority of %s',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by the authority of %s',
  CERT_SIGNATURE_FAILURE: 'its certificate is not signed by the authority of %s',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  EPROTO: 'it does not speak TLS as it should',
  HPE_HEADER_OVERFLOW: 'its answer has too many headers',
};

const CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

const codeOf = (error: unknown): string | undefined => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && CODE.test(code)) return code;
  return cause === undefined ? undefined : codeOf(cause);
};

/**
 * The text for an error of the connection. The error's own message is not passed on. `source` names the origin of the
 * CA.
 */
export const faultOf = (error: unknown, source = 'the kubeconfig'): string => {
  if (error instanceof ConnectionFault) return error.message;
  if (error instanceof Error && error.cause instanceof ConnectionFault) return error.cause.message;
  const code = codeOf(error);
  if (code === undefined) return 'the connection failed';
  return WORDS[code] ? `${WORDS[code].replace('%s', source)} (${code})` : `the connection failed (${code})`;
};

/** The response is larger than the limit. */
export class AnswerTooLargeError extends ConnectionFault {
  constructor(bytes: number) {
    super(`its answer has more than ${bytes / 1024 / 1024} MiB`);
  }
}
