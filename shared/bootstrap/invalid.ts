/** Bootstrap input that only a user can correct. `field` is the path of the error, and the message says what to do. */
export class BootstrapInvalidError extends Error {
  override readonly name = 'BootstrapInvalid';
  readonly field: string;
  constructor(field: string, problem: string, options?: ErrorOptions) {
    super(`${field}: ${problem}`, options);
    this.field = field;
  }
}

/** Missing, damaged or expired key material of a cluster. `field` names the Secret and its key. */
export class CertificateInvalidError extends BootstrapInvalidError {}
