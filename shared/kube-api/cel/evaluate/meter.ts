import { CostError, Work } from '../../work.ts';

/** The limits for one evaluation, and for all rules of one value together (k8s.io/apiserver/pkg/apis/cel). */
const PER_CALL_LIMIT = 1_000_000;
export const RUNTIME_BUDGET = 10_000_000;

/** Evaluating a part of an expression takes as long as visiting this many characters. */
const STEPS_PER_UNIT = 20;

/** Counts the cost of evaluating one expression, in cel-go's units. */
export class Meter {
  spent = 0;
  readonly #work: Work;

  /** Evaluations that belong to one validation share its `work`. */
  constructor(work = new Work()) {
    this.#work = work;
  }

  /** Throws CostError once the cost of one evaluation exceeds the limit. */
  spend(units: number): void {
    this.spent += units;
    if (this.spent > PER_CALL_LIMIT) throw new CostError();
    this.#work.do(units * STEPS_PER_UNIT);
  }

  /** Counts steps that cost nothing in cel-go's units. Throws CostError once all steps exceed the limit. */
  work(steps: number): void {
    this.#work.do(steps);
  }
}
