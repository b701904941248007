/**
 * An error as AWS reports it, with its code, message and HTTP status. Engines throw it. The server writes it in the
 * form of the service's protocol, so that an SDK client throws its own modelled exception.
 */
export class AwsFault extends Error {
  override readonly name = 'AwsFault';
  readonly code: string;
  readonly status: number;
  /** Further members of a modelled error, for example `CancellationReasons`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, status = 400, members: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.members = members;
  }
}

/** The fault for a request that AWS would serve but this simulation does not: it names what is missing. */
export const notSimulated = (what: string): AwsFault =>
  new AwsFault('NotSimulated', `${what} is not simulated; infra/local/SUPPORT.md lists what is`, 501);

/**
 * Refuses parameters that a simulated action does not support, so that nothing is silently ignored. `input` is the
 * decoded request; parameters without a value, and `false`, have no effect and are accepted.
 */
export const onlySimulated = (action: string, input: object, known: readonly string[]): void => {
  for (const [name, value] of Object.entries(input)) {
    const asksNothing = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
    if (!asksNothing && !known.includes(name)) throw notSimulated(`the parameter ${name} of ${action}`);
  }
};
