/** An evaluation or a validation has exceeded its limit. No operator or macro of an expression recovers from it. */
export class CostError extends Error {
  override readonly name = 'CostError';
  constructor(message = 'operation cancelled: actual cost limit exceeded') {
    super(message);
  }
}

/**
 * The steps that one validation may take, with all patterns and rules of its schema. Upstream interrupts an evaluation
 * when its request ends, because cel-go's units do not limit it: many functions cost one unit, however long their
 * arguments are.
 */
const MOST_STEPS = 400_000_000;

/** Counts what a validation really does: the cost of its rules, and the items, entries and characters that it visits. */
export class Work {
  #left = MOST_STEPS;

  /** Throws CostError once the steps exceed the limit. */
  do(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new CostError();
  }
}
