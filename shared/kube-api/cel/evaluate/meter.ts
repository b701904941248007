/** An expression has exceeded the cost limit. No operator or macro recovers from it. */
export class CostError extends Error {
  override readonly name = 'CostError';
}

/** The limits for one evaluation, and for all rules of one value together (k8s.io/apiserver/pkg/apis/cel). */
const PER_CALL_LIMIT = 1_000_000;
export const RUNTIME_BUDGET = 10_000_000;

/** Counts the cost of evaluating one expression, in cel-go's units. */
export class Meter {
  spent = 0;

  /** Throws CostError once the cost of one evaluation exceeds the limit. */
  spend(units: number): void {
    this.spent += units;
    if (this.spent > PER_CALL_LIMIT) throw new CostError('operation cancelled: actual cost limit exceeded');
  }
}
