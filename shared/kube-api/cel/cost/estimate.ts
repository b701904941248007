import type { Checked } from '../check/check.ts';
import { type CelType, TYPES, unwrapped } from '../check/types.ts';
import type { Declared } from '../declare.ts';
import { ACCUMULATOR } from '../syntax/builder.ts';
import type { Call, Comprehension, Expression, ListLiteral, MapLiteral, Select } from '../syntax/expression.ts';
import { estimateLibraryCall } from './library.ts';
import { type CallEstimate, type Node, sizeAt } from './node.ts';
import { add, COST, fixed, multiply, type Range, UNKNOWN, union } from './range.ts';
import { estimateCall } from './standard.ts';

/** The size ranges of the keys and values of a list or a map. */
interface Entries {
  kind: 'list' | 'map';
  key: Range;
  value: Range;
}

interface Variable {
  path: readonly string[] | undefined;
  size?: Range | undefined;
  entries?: Entries | undefined;
}

const NONE = fixed(0n);
const ONE_NAME = fixed(COST.name);
const NOTHING: Range = { min: UNKNOWN.max, max: 0n };

const SCALARS: ReadonlySet<CelType['kind']> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

const isScalar = (type: CelType): boolean =>
  SCALARS.has(type.kind) || (unwrapped(type).isOptional && isScalar(unwrapped(type).type));

const literalSize = (value: unknown): bigint => {
  if (typeof value === 'string') return BigInt([...value].length);
  return value instanceof Uint8Array ? BigInt(value.length) : 1n;
};

/** The size of a literal. */
const writtenSize = (expression: Expression): Range | undefined => {
  switch (expression.kind) {
    case 'literal':
      return fixed(literalSize(expression.value));
    case 'list':
      return fixed(BigInt(expression.items.length));
    case 'map':
      return fixed(BigInt(expression.entries.length));
    default:
      return undefined;
  }
};

const unionOfEntries = (a: Entries | undefined, b: Entries | undefined): Entries | undefined =>
  a && b && { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };

/** A loop that only binds a variable, such as the one of `optMap`. */
const isBinding = ({ range, condition, accumulator }: Comprehension): boolean =>
  range.kind === 'list' &&
  range.items.length === 0 &&
  condition.kind === 'literal' &&
  condition.value === false &&
  accumulator !== '__result__';

/** cel-go's cost model (checker/cost.go) with the sizes that a schema allows. */
class Estimator {
  readonly #checked: Checked;
  readonly #root: Declared;
  readonly #paths = new Map<number, readonly string[] | undefined>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, Entries>();
  readonly #variables = new Map<string, Variable[]>();

  constructor(checked: Checked, root: Declared) {
    this.#checked = checked;
    this.#root = root;
  }

  cost(expression: Expression): Range {
    switch (expression.kind) {
      case 'literal':
        return NONE;
      case 'identifier':
        this.#paths.set(expression.id, this.#variable(expression.name)?.path ?? [expression.name]);
        return ONE_NAME;
      case 'select':
        return this.#typeName(expression) ?? this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'message':
        return add(...expression.fields.map(({ value }) => this.cost(value)), fixed(COST.message));
      default:
        return isBinding(expression) ? this.#binding(expression) : this.#loop(expression);
    }
  }

  size(expression: Expression): Range | undefined {
    const known = this.#sizes.get(expression.id) ?? writtenSize(expression);
    if (known) return known;
    const declared = sizeAt(this.#root, this.#path(expression));
    if (declared) {
      this.#sizes.set(expression.id, declared);
      return declared;
    }
    if (isScalar(this.#type(expression))) return fixed(1n);
    return expression.kind === 'identifier' ? this.#variable(expression.name)?.size : undefined;
  }

  sizeOrUnknown(expression: Expression): Range {
    return this.size(expression) ?? UNKNOWN;
  }

  entriesOf(expression: Expression): Entries | undefined {
    const known = this.#entries.get(expression.id);
    return known ?? (expression.kind === 'identifier' ? this.#variable(expression.name)?.entries : undefined);
  }

  joinEntries(expression: Expression, [a, b]: readonly [Expression, Expression]): void {
    this.#setEntries(expression, unionOfEntries(this.entriesOf(a), this.entriesOf(b)));
  }

  #type({ id }: Expression): CelType {
    return this.#checked.types.get(id) ?? TYPES.dyn;
  }

  #variable(name: string): Variable | undefined {
    return this.#variables.get(name)?.at(-1);
  }

  #path(expression: Expression): readonly string[] | undefined {
    const variable = expression.kind === 'identifier' ? this.#variable(expression.name) : undefined;
    return variable ? variable.path : this.#paths.get(expression.id);
  }

  #setSize({ id }: Expression, size: Range | undefined): void {
    if (size) this.#sizes.set(id, size);
  }

  #setEntries({ id }: Expression, entries: Entries | undefined): void {
    if (entries) this.#entries.set(id, entries);
  }

  /** The cost of a type name, which may contain dots. */
  #typeName({ id }: Select): Range | undefined {
    const name = this.#checked.typeNames.get(id);
    if (name === undefined) return undefined;
    this.#paths.set(id, [name]);
    return ONE_NAME;
  }

  #select({ id, operand, field, isTest }: Select): Range {
    const cost = this.cost(operand);
    // With Kubernetes' settings, a presence test costs nothing.
    if (isTest) return cost;
    const { kind } = this.#type(operand);
    this.#paths.set(id, [...(this.#path(operand) ?? []), field]);
    return kind === 'map' || kind === 'struct' || kind === 'parameter' ? add(cost, ONE_NAME) : cost;
  }

  #node(expression: Expression): Node {
    const path = this.#path(expression);
    const isComputed = path === undefined || path[0] === ACCUMULATOR;
    return {
      type: this.#type(expression),
      path: isComputed ? undefined : path,
      size: this.size(expression),
      expression,
    };
  }

  #call(call: Call): Range {
    const [first] = call.args;
    if (call.function === 'dyn' && !call.target && first) {
      const cost = add(fixed(1n), this.cost(first));
      this.#setSize(call, this.size(first));
      this.#setEntries(call, this.entriesOf(first));
      return cost;
    }
    const costs = call.args.map((argument) => this.cost(argument));
    const args = call.args.map((argument) => this.#node(argument));
    const overloads = this.#checked.overloads.get(call.id) ?? [];
    if (overloads.length === 0) return NONE;
    const targetCost = call.target ? this.cost(call.target) : NONE;
    const target = call.target && this.#node(call.target);
    let cost = NOTHING;
    let size: Range | undefined;
    for (const overload of overloads) {
      const one = this.#overload(call, { overload, target, args, costs });
      cost = union(cost, one.cost);
      if (one.size) size = size ? union(size, one.size) : one.size;
      size = this.#indexed(call, overload, size) ?? this.size(call);
    }
    this.#setSize(call, size);
    return add(targetCost, cost);
  }

  #overload(
    call: Call,
    { overload, target, args, costs }: { overload: string; target: Node | undefined; args: Node[]; costs: Range[] },
  ): CallEstimate {
    const library = estimateLibraryCall(call.function, { root: this.#root, overload, target, args });
    if (library) return { ...library, cost: add(library.cost, ...costs) };
    return estimateCall({ call, overload, costs, sizes: this });
  }

  /** An indexed element has the path and size of its container's elements. */
  #indexed({ id, args: [of] }: Call, overload: string, size: Range | undefined): Range | undefined {
    const step = { index_list: '@items', index_map: '@values' }[overload];
    if (step === undefined || !of) return size;
    this.#paths.set(id, [...(this.#path(of) ?? []), step]);
    return this.entriesOf(of)?.value;
  }

  #list(list: ListLiteral): Range {
    const costs = list.items.map(({ value }) => this.cost(value));
    const value = list.items.reduce(
      (sizes, item) => union(sizes, this.sizeOrUnknown(item.value)),
      list.items.length === 0 ? NONE : NOTHING,
    );
    this.#setEntries(list, { kind: 'list', key: fixed(1n), value });
    return add(...costs, fixed(COST.list));
  }

  #map(map: MapLiteral): Range {
    const start = map.entries.length === 0 ? NONE : NOTHING;
    const costs = map.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const key = map.entries.reduce((sizes, entry) => union(sizes, this.sizeOrUnknown(entry.key)), start);
    const value = map.entries.reduce((sizes, entry) => union(sizes, this.sizeOrUnknown(entry.value)), start);
    this.#setEntries(map, { kind: 'map', key, value });
    return add(...costs, fixed(COST.map));
  }

  #within<T>(variables: readonly [string, Variable][], run: () => T): T {
    for (const [name, variable] of variables) {
      this.#variables.set(name, [...(this.#variables.get(name) ?? []), variable]);
    }
    const result = run();
    for (const [name] of variables) this.#variables.get(name)?.pop();
    return result;
  }

  #named(expression: Expression): Variable {
    return { path: this.#path(expression), size: this.size(expression), entries: this.entriesOf(expression) };
  }

  #binding(loop: Comprehension): Range {
    const before = add(this.cost(loop.range), this.cost(loop.init));
    return this.#within([[loop.accumulator, this.#named(loop.init)]], () => {
      const cost = add(before, this.cost(loop.result));
      this.#setSize(loop, this.size(loop.result));
      this.#setEntries(loop, this.entriesOf(loop.result));
      return cost;
    });
  }

  /** The variables of a loop: an item or a key, or, with two variables, an index or a key and its value. */
  #iterated({ range, variable, second }: Comprehension): [string, Variable][] {
    const entries = this.entriesOf(range);
    const isList = (entries?.kind ?? this.#type(range).kind) === 'list';
    const at = (step: string, size: Range | undefined): Variable => ({
      path: [...(this.#path(range) ?? []), step],
      size,
    });
    const values = at(isList ? '@items' : '@values', entries?.value);
    if (second !== undefined) {
      return [
        [variable, at(isList ? '@indices' : '@keys', entries?.key)],
        [second, values],
      ];
    }
    return [[variable, isList ? values : at('@keys', entries?.key)]];
  }

  #loop(loop: Comprehension): Range {
    const { range, init, condition, step, result, accumulator } = loop;
    const before = add(this.cost(range), this.cost(init));
    return this.#within([[accumulator, this.#named(init)]], () => {
      const each = this.#within(this.#iterated(loop), () => add(this.cost(condition), this.cost(step)));
      const after = this.cost(result);
      const count = this.sizeOrUnknown(range);
      if (init.kind === 'literal') this.#setSize(loop, this.size(init));
      if (init.kind === 'list' || init.kind === 'map') {
        this.#setSize(loop, count);
        this.#setEntries(loop, this.entriesOf(step));
      }
      return add(before, after, multiply(count, each));
    });
  }
}

/** The maximum cost of an expression over values of the schema. */
export const estimateCost = (checked: Checked, root: Declared): bigint =>
  new Estimator(checked, root).cost(checked.root).max;
