/** An expression has exceeded the cost limit. Nothing in an expression recovers from it. */
export class CostError extends Error {
  override readonly name = 'CostError';
}

/** What one call of an expression may cost, and the rules of one value together (k8s.io/apiserver/pkg/apis/cel). */
const PER_CALL_LIMIT = 1_000_000;
export const RUNTIME_BUDGET = 10_000_000;

/** Counts what the evaluation of one expression costs, in cel-go's units. */
export class Meter {
  spent = 0;

  /** Throws a CostError once the limit of one call is exceeded. */
  spend(units: number): void {
    this.spent += units;
    if (this.spent > PER_CALL_LIMIT) throw new CostError('operation cancelled: actual cost limit exceeded');
  }
}
