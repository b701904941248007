import type { Checked } from '../check/check.ts';
import { Entries } from '../entries.ts';
import { compileRegex } from '../regex.ts';
import type { Call, Expression } from '../syntax/expression.ts';
import { partsOf } from '../syntax/expression.ts';
import { type CelValue, isList, TypeName } from '../value.ts';
import { invoke } from './invoke.ts';
import { MemberSet } from './member-set.ts';

/** The parts of an expression that are known before it runs; cel-go does not charge for them again. */
export interface Constants {
  values: ReadonlyMap<number, CelValue>;
  /** The searched list of each `in` call. */
  sets: ReadonlyMap<number, MemberSet>;
}

const CONVERSIONS: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

/** Finds the constants of an expression as cel-go's optimizer does (interpreter/decorators.go). Throws CelError. */
class Folder {
  readonly values = new Map<number, CelValue>();
  readonly sets = new Map<number, MemberSet>();
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  fold(expression: Expression): void {
    for (const part of partsOf(expression)) this.fold(part);
    const value = this.#constant(expression);
    if (value !== undefined) this.values.set(expression.id, value);
  }

  #constant(expression: Expression): CelValue | undefined {
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'identifier':
      case 'select': {
        const name = this.#checked.typeNames.get(expression.id);
        return name === undefined ? undefined : new TypeName(name);
      }
      case 'list': {
        const items = expression.items.map(({ value }) => this.values.get(value.id));
        return expression.items.some(({ isOptional }) => isOptional) || items.includes(undefined)
          ? undefined
          : (items as CelValue[]);
      }
      case 'map': {
        const parts = expression.entries.flatMap(({ key, value }) => [key, value]).map(({ id }) => this.values.get(id));
        if (expression.entries.some(({ isOptional }) => isOptional) || parts.includes(undefined)) return undefined;
        return new Entries(expression.entries.map(({ key, value }) => [this.#known(key), this.#known(value)]));
      }
      case 'call':
        return this.#call(expression);
      default:
        return undefined;
    }
  }

  /** Parses a literal pattern once, before the expression runs. */
  #checkPattern({ function: name, target, args }: Call): void {
    const [pattern] = target ? args : args.slice(1);
    const text = pattern && this.values.get(pattern.id);
    if (['find', 'findAll', 'matches'].includes(name) && typeof text === 'string') compileRegex(text);
  }

  #known({ id }: Expression): CelValue {
    return this.values.get(id) ?? null;
  }

  #call(call: Call): CelValue | undefined {
    this.#checkPattern(call);
    const [first, second] = call.args;
    const value = first && this.values.get(first.id);
    if (CONVERSIONS.has(call.function) && !call.target && call.args.length === 1 && value !== undefined) {
      return invoke(call.function, false, [value]);
    }
    const list = second && this.values.get(second.id);
    const overloads = this.#checked.overloads.get(call.id) ?? [];
    if (call.function !== '@in' || overloads.join() !== 'in_list' || list === undefined || !isList(list))
      return undefined;
    if (list.length === 0) return false;
    const set = MemberSet.of(list);
    if (set) this.sets.set(call.id, set);
    return undefined;
  }
}

/** Throws CelError for a regular expression or a conversion that fails for all inputs. */
export const constantsOf = (checked: Checked): Constants => {
  const folder = new Folder(checked);
  folder.fold(checked.root);
  return { values: folder.values, sets: folder.sets };
};
