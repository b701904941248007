import { TemplateError } from './scan.ts';
import { isValueMap, isValues, type Value } from './values.ts';

/** The cost of a node, an operand or a loop iteration, in characters that are read or written. */
const STEP = 200;

/**
 * 100,000 steps, or 20 million characters. Templates of bootstrap files, the largest ones, need a hundredth of that.
 */
const MOST = 20_000_000;

/** The maximum nesting of lists and maps, because functions that print or compare them are recursive. */
const MOST_LEVELS = 200;

interface Measure {
  size: number;
  levels: number;
}

const SCALAR: Measure = { size: 8, levels: 0 };

/**
 * The remaining budget of one template execution. Templates come from tenants and can contain loops, so a few hundred
 * characters could keep a function busy until it times out, or fill its memory. Every method throws TemplateError once
 * the budget is spent.
 */
export class Budget {
  #left: number;
  readonly #together: Budget | undefined;
  readonly #measured = new WeakMap<object, Measure>();

  /** `together`: the budget of several executions, from which this one also takes. */
  constructor(most = MOST, together?: Budget) {
    this.#left = most;
    this.#together = together;
  }

  spend(amount: number): void {
    this.#left -= amount;
    if (!(this.#left >= 0)) throw new TemplateError('takes too many steps or produces too much text');
    if (this.#together?.takes(amount) === false)
      throw new TemplateError('takes, together with others, too many steps or produces too much text');
  }

  /** False if the budget is spent. */
  takes(amount: number): boolean {
    this.#left -= amount;
    return this.#left >= 0;
  }

  step(count = 1): void {
    this.spend(count * STEP);
  }

  read(value: Value): void {
    this.spend(this.sizeOf(value));
  }

  /** The size of a value in characters, approximately as printed. An item that a list contains twice counts twice. */
  sizeOf(value: Value): number {
    return this.#measure(value, 0).size;
  }

  #measure(value: Value, level: number): Measure {
    if (typeof value === 'string') return { size: value.length, levels: 0 };
    if (typeof value !== 'object' || value === null) return SCALAR;
    const known = this.#measured.get(value);
    if (known) return known;
    const parts = isValues(value) ? value : isValueMap(value) ? [...Object.keys(value), ...Object.values(value)] : [];
    const measure = { size: parts.length + SCALAR.size, levels: 1 };
    for (const part of parts) {
      if (level > MOST_LEVELS) break;
      const { size, levels } = this.#measure(part, level + 1);
      measure.size += size;
      measure.levels = Math.max(measure.levels, levels + 1);
    }
    if (level + measure.levels > MOST_LEVELS) throw new TemplateError('has values that are nested too deeply');
    this.#measured.set(value, measure);
    return measure;
  }
}
