/** Why a host could not be used: the reason of the Host's condition Reachable. */
export type HostReason =
  | 'CredentialsInvalid'
  | 'AddressRefused'
  | 'Unreachable'
  | 'HostKeyMismatch'
  | 'AuthenticationFailed'
  | 'SudoRefused'
  | 'UnexpectedAnswer'
  | 'InUse';

/** A host cannot be used now. The message contains only our words, and neither the host's output nor the key. */
export class HostError extends Error {
  override readonly name = 'HostUnusable';
  readonly reason: HostReason;
  constructor(reason: HostReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
