import { isIP } from 'node:net';
import { invalidValue } from '../../kube-api/field-error.ts';
import { checkSubdomain } from '../../kube-api/names.ts';
import type { FieldError } from '../../kube-api/resource.ts';
import type { Host } from './schema.ts';

/**
 * A key in the form of known_hosts and *.pub. A fingerprint would not determine which of its keys a server must
 * present.
 */
const KEY = /^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]{40,}={0,2}( \S.*)?$/;

/** A host that is in use must not be replaced by another computer: its machine could never be released. */
const FIXED_IN_USE = ['address', 'port'] as const;

export const validateHost = ({ spec, status }: Host, old: Host | undefined): FieldError[] => {
  const { address, hostKey } = spec;
  const isAddress = isIP(address) !== 0 || checkSubdomain(address).length === 0;
  const changed = old && status?.claim ? FIXED_IN_USE.filter((field) => old.spec[field] !== spec[field]) : [];
  return [
    ...(isAddress ? [] : [invalidValue('spec.address', address, 'must be an IP address or a DNS name')]),
    ...(KEY.test(hostKey)
      ? []
      : [
          invalidValue(
            'spec.hostKey',
            hostKey,
            'must be a public key as in known_hosts, such as "ssh-ed25519 AAAA…"; a fingerprint is not enough',
          ),
        ]),
    ...changed.map((field) =>
      invalidValue(
        `spec.${field}`,
        spec[field],
        `cannot be changed while ${status?.claim?.machine} has claimed the Host`,
      ),
    ),
  ];
};
