import type { Checked } from '../check/check.ts';
import { Entries } from '../entries.ts';
import { ACCUMULATOR } from '../syntax/builder.ts';
import type { Call, Comprehension, Expression, ListLiteral, MapLiteral, Select } from '../syntax/expression.ts';
import { CelError, type CelValue, isList, isMap, noOverload, Optional, readable } from '../value.ts';
import { callCost } from './call-cost.ts';
import { callWork } from './call-work.ts';
import type { Constants } from './constants.ts';
import { goType } from './go-type.ts';
import { type Grown, grown } from './grown.ts';
import { invoke } from './invoke.ts';
import type { Meter } from './meter.ts';
import { isPresent, optionalSelect, select } from './operators.ts';
import { lookUp, type Scope, within } from './scope.ts';

/** The cost of creating a list or a map. */
const MADE = { list: 10, map: 30 } as const;

const SELECTS: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

const isSelect = (expression: Expression): boolean =>
  (expression.kind === 'select' && !expression.isTest) ||
  (expression.kind === 'call' && SELECTS.has(expression.function));

const isConditional = (expression: Expression): boolean =>
  expression.kind === 'call' && expression.function === '_?_:_';

/** The expression at the start of a chain of selections. */
const rootOf = (expression: Expression): Expression => {
  if (!isSelect(expression)) return expression;
  return rootOf(expression.kind === 'select' ? expression.operand : ((expression as Call).args[0] as Expression));
};

/** A step of a macro that adds to the list or the map that its loop collects. */
const isAccumulation = ({ function: name, args: [first] }: Call): boolean =>
  (name === '_+_' || name === 'cel.@mapInsert') && first?.kind === 'identifier' && first.name === ACCUMULATOR;

/** A value, or the error that ended its evaluation. */
type Outcome = { value: CelValue; fault?: undefined } | { value?: undefined; fault: CelError };

const tried = (evaluate: () => CelValue): Outcome => {
  try {
    return { value: evaluate() };
  } catch (error) {
    if (error instanceof CelError) return { fault: error };
    throw error;
  }
};

/** Evaluates one expression and counts the cost of each step as cel-go does (interpreter/runtimecost.go). */
class Interpreter {
  readonly #checked: Checked;
  readonly #constants: Constants;
  readonly #meter: Meter;
  readonly #grown: Grown = new WeakSet();

  constructor(checked: Checked, constants: Constants, meter: Meter) {
    this.#checked = checked;
    this.#constants = constants;
    this.#meter = meter;
  }

  value(expression: Expression, scope: Scope): CelValue {
    const constant = this.#constants.values.get(expression.id);
    if (constant !== undefined) return constant;
    switch (expression.kind) {
      case 'identifier':
      case 'select':
        return this.#attribute(expression, scope);
      case 'call':
        return this.#call(expression, scope);
      case 'list':
        return this.#list(expression, scope);
      case 'map':
        return this.#map(expression, scope);
      case 'comprehension':
        return this.#loop(expression, scope);
      default:
        throw noOverload();
    }
  }

  #outcome(expression: Expression, scope: Scope): Outcome {
    return tried(() => this.value(expression, scope));
  }

  /** A name costs 1 together with its selections, and each selection costs 1 more. */
  #attribute(expression: Expression, scope: Scope): CelValue {
    const isTest = expression.kind === 'select' && expression.isTest;
    const { value, fault } = this.#resolved(expression, scope);
    // Neither a presence test nor a selection from a conditional is charged for a name.
    if (!isTest && !isConditional(rootOf(expression))) this.#meter.spend(1);
    if (fault) throw fault;
    return value;
  }

  #resolved(expression: Expression, scope: Scope): Outcome {
    return tried(() => this.#resolve(expression, scope));
  }

  /** Resolves an attribute without charging for its name. */
  #resolve(expression: Expression, scope: Scope): CelValue {
    const constant = this.#constants.values.get(expression.id);
    if (constant !== undefined) return constant;
    if (expression.kind === 'identifier') {
      const value = lookUp(scope, expression.name.replace(/^\./, ''));
      if (value === undefined) throw new CelError(`no such attribute(s): ${expression.name}`);
      return value;
    }
    if (expression.kind === 'select') return this.#selected(expression, scope);
    if (expression.kind !== 'call') throw noOverload();
    return isConditional(expression) ? this.#conditional(expression, scope) : this.#indexed(expression, scope);
  }

  /** Evaluates the operand of a selection. The whole chain pays for a name once; other values are charged as usual. */
  #operand(operand: Expression, scope: Scope): CelValue {
    const isChain = operand.kind === 'identifier' || isSelect(operand) || isConditional(operand);
    return isChain ? this.#resolve(operand, scope) : this.value(operand, scope);
  }

  #selected({ operand, field, isTest }: Select, scope: Scope): CelValue {
    const of = this.#operand(operand, scope);
    if (isTest) {
      this.#meter.spend(1);
      return isPresent(of, field);
    }
    return this.#step(of, field, false);
  }

  #indexed(call: Call, scope: Scope): CelValue {
    const [operand, index] = call.args as [Expression, Expression];
    const of = this.#operand(operand, scope);
    const isAsked = call.function !== '_[_]';
    const { value: key, fault } = this.#key(index, scope);
    if (fault) {
      // The step is charged even if evaluating its key fails.
      if (!isAsked && !(of instanceof Optional)) this.#meter.spend(1);
      throw fault;
    }
    return this.#step(of, key, isAsked);
  }

  #key(index: Expression, scope: Scope): Outcome {
    const isAttribute = index.kind === 'identifier' || isSelect(index) || isConditional(index);
    return isAttribute ? this.#resolved(index, scope) : this.#outcome(index, scope);
  }

  /** Selects a member. A selection with a question mark, or from an optional value, returns an optional value. */
  #step(of: CelValue, key: CelValue, isAsked: boolean): CelValue {
    if (!isAsked && !(of instanceof Optional)) {
      this.#meter.spend(1);
      return select(of, key);
    }
    const inner = of instanceof Optional ? of.value : of;
    const member = inner === undefined ? undefined : optionalSelect(inner, key);
    if (member !== undefined) this.#meter.spend(1);
    return new Optional(member);
  }

  #conditional({ args: [test, then, otherwise] }: Call, scope: Scope): CelValue {
    const decision = this.value(test as Expression, scope);
    if (typeof decision !== 'boolean') throw noOverload();
    return this.#operand((decision ? then : otherwise) as Expression, scope);
  }

  #call(call: Call, scope: Scope): CelValue {
    const { function: name, args } = call;
    if (name === '_&&_' || name === '_||_') return this.#logical(name === '_||_', args, scope);
    if (name === '_?_:_') return this.#conditional(call, scope);
    if (SELECTS.has(name)) return this.#attribute(call, scope);
    if (name === '@not_strictly_false') return this.#isOpen(args[0] as Expression, scope);
    if (call.target && args.length === 1 && (name === 'or' || name === 'orValue')) return this.#otherwise(call, scope);
    const set = this.#constants.sets.get(call.id);
    if (set) return set.has(this.value(args[0] as Expression, scope));
    return this.#function(call, scope);
  }

  /** `||` and `&&` tolerate an error on one side if the other side decides the result. */
  #logical(decides: boolean, sides: readonly Expression[], scope: Scope): boolean {
    let fault: CelError | undefined;
    for (const side of sides) {
      const outcome = this.#outcome(side, scope);
      if (outcome.fault) fault ??= outcome.fault;
      else if (typeof outcome.value !== 'boolean') fault ??= noOverload();
      else if (outcome.value === decides) return decides;
    }
    if (fault) throw fault;
    return !decides;
  }

  /** `or` and `orValue` cost nothing, and evaluate the alternative only if the optional is empty. */
  #otherwise({ function: name, target, args }: Call, scope: Scope): CelValue {
    const value = this.value(target as Expression, scope);
    if (!(value instanceof Optional)) throw noOverload();
    if (value.value === undefined) return this.value(args[0] as Expression, scope);
    return name === 'or' ? value : readable(value.value);
  }

  #isOpen(argument: Expression, scope: Scope): boolean {
    const { value } = this.#outcome(argument, scope);
    this.#meter.spend(1);
    return value !== false;
  }

  #function(call: Call, scope: Scope): CelValue {
    const { function: name, target, args } = call;
    const parts = [...(target ? [target] : []), ...args];
    const outcomes: Outcome[] = [];
    for (const [index, part] of parts.entries()) {
      // With more than two arguments, evaluation stops at the first error. The call is charged only if every argument
      // was evaluated, which means that at most the last one failed.
      const endsCall = parts.length > 2 && index < parts.length - 1;
      outcomes.push(endsCall ? { value: this.value(part, scope) } : this.#outcome(part, scope));
    }
    const fault = outcomes.find((outcome) => outcome.fault)?.fault;
    const values = outcomes.map(({ value }) => value);
    const overloads = this.#checked.overloads.get(call.id) ?? [];
    const overload = overloads.length === 1 ? (overloads[0] ?? '') : '';
    if (fault) {
      this.#meter.spend(callCost(name, { overload, args: values, result: undefined }));
      throw fault;
    }
    return this.#paid(call, overload, values as CelValue[]);
  }

  #paid(call: Call, overload: string, args: readonly CelValue[]): CelValue {
    const { function: name, target } = call;
    let result: CelValue | undefined;
    try {
      if (isAccumulation(call)) result = grown(this.#grown, name, args);
      if (result === undefined) {
        this.#meter.work(callWork(name, args));
        result = invoke(name, target !== undefined, args);
      }
      return result;
    } finally {
      this.#meter.spend(callCost(name, { overload, args, result }));
    }
  }

  #list({ items }: ListLiteral, scope: Scope): CelValue {
    const values: CelValue[] = [];
    for (const { value, isOptional } of items) {
      const item = this.value(value, scope);
      if (!isOptional) values.push(item);
      else if (!(item instanceof Optional)) throw noOverload();
      else if (item.value !== undefined) values.push(item.value);
    }
    this.#meter.spend(MADE.list);
    return values;
  }

  #map({ entries }: MapLiteral, scope: Scope): CelValue {
    const values = new Entries();
    for (const { key, value, isOptional } of entries) {
      const [name, member] = [this.value(key, scope), this.value(value, scope)];
      if (!isOptional) values.set(name, member);
      else if (!(member instanceof Optional)) throw noOverload();
      else if (member.value !== undefined) values.set(name, member.value);
      else values.delete(name);
    }
    this.#meter.spend(MADE.map);
    return values;
  }

  /** The items of a range: one value for each iteration, or two if the loop has two variables. */
  #items({ second }: Comprehension, range: CelValue): readonly (readonly CelValue[])[] {
    if (isList(range)) return range.map((item, index) => (second === undefined ? [item] : [BigInt(index), item]));
    if (isMap(range)) return [...range].map(([key, value]) => (second === undefined ? [key] : [key, value]));
    const type = goType(range);
    throw new CelError(
      second === undefined ? `got '${type}', expected iterable type` : `unsupported comprehension range type: ${type}`,
    );
  }

  #loop(loop: Comprehension, scope: Scope): CelValue {
    const range = this.value(loop.range, scope);
    let outcome: Outcome | undefined;
    // The initial value is evaluated only if it is read.
    const read = () => {
      outcome ??= this.#outcome(loop.init, scope);
      return outcome.fault ?? outcome.value;
    };
    const inner = within(scope, { name: loop.accumulator, read });
    for (const [first = null, other = null] of this.#items(loop, range)) {
      const variables = [{ name: loop.variable, read: () => first }];
      if (loop.second !== undefined) variables.push({ name: loop.second, read: () => other });
      const each = within(inner, ...variables);
      const condition = this.#outcome(loop.condition, each);
      if (condition.value === false) break;
      outcome = this.#outcome(loop.step, each);
    }
    return this.value(loop.result, inner);
  }
}

export const interpret = (checked: Checked, constants: Constants, rule: ReadonlyMap<string, CelValue>, meter: Meter) =>
  new Interpreter(checked, constants, meter).value(checked.root, { rule });
