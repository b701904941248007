/** Why a host could not be used, as the condition Reachable of the Host says it. */
export type HostReason =
  | 'CredentialsInvalid'
  | 'AddressRefused'
  | 'Unreachable'
  | 'HostKeyMismatch'
  | 'AuthenticationFailed'
  | 'SudoRefused'
  | 'UnexpectedAnswer'
  | 'InUse';

/** A host cannot be used now. The message is only ours: it contains neither the host's output nor the key. */
export class HostError extends Error {
  override readonly name = 'HostUnusable';
  readonly reason: HostReason;
  constructor(reason: HostReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
