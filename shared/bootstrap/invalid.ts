/** Bootstrap input that only a user can correct. `field` is the path of the error, the message says what to do. */
export class BootstrapInvalidError extends Error {
  override readonly name = 'BootstrapInvalid';
  readonly field: string;
  constructor(field: string, problem: string, options?: ErrorOptions) {
    super(`${field}: ${problem}`, options);
    this.field = field;
  }
}

/** Key material of a cluster that is missing, damaged or expired. `field` names the secret and its key. */
export class CertificateInvalidError extends BootstrapInvalidError {}
