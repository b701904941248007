import { Meter, RUNTIME_BUDGET } from '../cel/evaluate/meter.ts';
import { CelError, type CelValue } from '../cel/value.ts';
import { textOf } from '../webhooks/conditions.ts';
import { CostError, Work } from '../work.ts';
import type { Compiled } from './environment.ts';

/** Evaluates the expressions of one policy for one request and one parameter object. */

export interface Named {
  name: string;
  expression: string;
  program: Compiled;
}

export type Result = { value: CelValue } | { error: string };

/** Thrown once the budget is spent: no further expression is evaluated. */
export class OutOfBudget extends Error {
  override readonly name = 'OutOfBudget';
}

const EXHAUSTED = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The cost budget for all match conditions of a policy (k8s.io/apiserver/pkg/apis/cel). */
export const CONDITIONS_BUDGET = 2_500_000;
export { RUNTIME_BUDGET };

/** Lazily evaluates a policy's variables. The expression that first reads a variable pays for it. */
class Variables extends Map<CelValue, CelValue> {
  readonly #named: ReadonlyMap<string, Named>;
  readonly #scope: ReadonlyMap<string, CelValue>;
  readonly #work: Work;
  readonly #known = new Map<string, { value: CelValue } | { fault: CelError }>();
  /** The cost of evaluating variables since `evaluateAll` last reset it. */
  spent = 0;

  constructor(variables: readonly Named[], scope: ReadonlyMap<string, CelValue>, work: Work) {
    super();
    this.#work = work;
    this.#named = new Map(variables.map((variable) => [variable.name, variable]));
    this.#scope = new Map([...scope, ['variables', this]]);
  }

  override has(name: CelValue): boolean {
    return this.#named.has(name as string);
  }

  override get(name: CelValue): CelValue | undefined {
    const variable = this.#named.get(name as string);
    if (!variable) return undefined;
    const known = this.#known.get(variable.name) ?? this.#evaluated(variable);
    this.#known.set(variable.name, known);
    if ('fault' in known) throw known.fault;
    return known.value;
  }

  #evaluated({ name, program }: Named): { value: CelValue } | { fault: CelError } {
    const failed = (why: string, error: string) => ({
      fault: new CelError(`composited variable ${JSON.stringify(name)} fails to ${why}: ${error}`),
    });
    if ('fault' in program) return failed('compile', program.fault);
    const meter = new Meter(this.#work);
    try {
      return { value: program.run(this.#scope, meter) };
    } catch (error) {
      if (!(error instanceof CelError || error instanceof CostError)) throw error;
      return failed('evaluate', textOf(error));
    } finally {
      this.spent += meter.spent;
    }
  }
}

/** Evaluates expressions in order and subtracts their cost from the budget. Throws OutOfBudget. */
export const evaluateAll = (
  expressions: readonly (Omit<Named, 'name'> | undefined)[],
  variables: readonly Named[],
  given: ReadonlyMap<string, CelValue>,
  budget: { left: number },
): (Result | undefined)[] => {
  const work = new Work();
  const lazy = new Variables(variables, given, work);
  const scope = new Map([...given, ['variables', lazy as CelValue]]);
  const spend = (units: number): void => {
    if (units > budget.left) throw new OutOfBudget(EXHAUSTED);
    budget.left -= units;
  };
  return expressions.map((one) => {
    if (!one) return undefined;
    const { expression, program } = one;
    if ('fault' in program) return { error: `compilation error: ${program.fault}` };
    const meter = new Meter(work);
    const result = resultOf(expression, () => program.run(scope, meter));
    spend(lazy.spent);
    lazy.spent = 0;
    spend(meter.spent);
    return result;
  });
};

const resultOf = (expression: string, run: () => CelValue): Result => {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof CelError || error instanceof CostError)) throw error;
    return { error: `expression '${expression}' resulted in error: ${textOf(error)}` };
  }
};
