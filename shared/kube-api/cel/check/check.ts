import type {
  Call,
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  Message,
  Select,
} from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import { type Environment, functionsByName, namedType, type Overload } from './environment.ts';
import { literalType } from './literal-type.ts';
import { noOverload, resolve, type Use } from './resolve.ts';
import { type CelType, isOpen, listOf, mapOf, optionalOf, parameterOf, showType, TYPES, unwrapped } from './types.ts';
import { mostGeneral, Unifier } from './unify.ts';

/** The checker's results by the ids of the expression's nodes. */
export interface Checked {
  root: Expression;
  types: ReadonlyMap<number, CelType>;
  /** The overloads that a call may resolve to. */
  overloads: ReadonlyMap<number, readonly string[]>;
  /** The identifiers and selections that name a type. */
  typeNames: ReadonlyMap<number, string>;
  issues: readonly Issue[];
}

/** `a.b.c` as a name; undefined for other expressions. */
const qualifiedName = (expression: Expression): string | undefined => {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'select' || expression.isTest) return undefined;
  const before = qualifiedName(expression.operand);
  return before === undefined ? undefined : `${before}.${expression.field}`;
};

const undeclared = (name: string): string => `undeclared reference to '${name}' (in container '')`;

/** cel-go's checker (checker/checker.go) with Kubernetes' settings. */
class Checker {
  readonly types = new Map<number, CelType>();
  readonly overloads = new Map<number, readonly string[]>();
  readonly typeNames = new Map<number, string>();
  readonly issues: Issue[] = [];
  readonly #environment: Environment;
  readonly #unifier = new Unifier();
  /** The variables of the enclosing comprehensions, innermost last. */
  readonly #scopes: Map<string, CelType>[] = [];
  #parameters = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  finish(): void {
    for (const [id, type] of this.types) this.types.set(id, this.#unifier.substitute(type, true));
  }

  check(expression: Expression): CelType {
    const type = this.#typeOf(expression);
    this.types.set(expression.id, type);
    return type;
  }

  #report(at: number, message: string): CelType {
    this.issues.push({ at, message });
    return TYPES.error;
  }

  #mismatch(at: number, expected: CelType, found: CelType): CelType {
    return this.#report(at, `expected type '${showType(expected)}' but found '${showType(found)}'`);
  }

  #freshParameter(): CelType {
    this.#parameters += 1;
    return parameterOf(`_var${this.#parameters - 1}`);
  }

  #typeOf(expression: Expression): CelType {
    switch (expression.kind) {
      case 'literal':
        return literalType(expression.value);
      case 'identifier':
        return this.#nameType(expression, expression.name) ?? this.#report(expression.at, undeclared(expression.name));
      case 'select':
        return this.#select(expression);
      case 'call':
        return this.#call(expression);
      case 'list':
        return this.#list(expression);
      case 'map':
        return this.#map(expression);
      case 'message':
        return this.#message(expression);
      default:
        return this.#comprehension(expression);
    }
  }

  #nameType({ id }: Expression, written: string): CelType | undefined {
    const name = written.replace(/^\./, '');
    if (name === written) {
      const local = this.#scopes.findLast((scope) => scope.has(name))?.get(name);
      if (local) return local;
    }
    const variable = this.#environment.variables.get(name);
    const type = variable ?? namedType(name);
    if (!variable && type) this.typeNames.set(id, name);
    return type;
  }

  #select(expression: Select): CelType {
    const name = qualifiedName(expression);
    const [first = ''] = name?.split('.') ?? [];
    const isLocal = this.#scopes.some((scope) => scope.has(first));
    const known = name === undefined || isLocal ? undefined : this.#nameType(expression, name);
    if (known) return known;
    const of = this.check(expression.operand);
    this.#unescape(expression, of);
    const type = this.#field(expression.at, of, expression.field, false);
    return expression.isTest ? TYPES.bool : this.#unifier.substitute(type);
  }

  /** A field whose name is reserved only in other languages can also be selected by its unescaped name. */
  #unescape(select: Select, of: CelType): void {
    const fields = this.#environment.structs.get(unwrapped(this.#unifier.substitute(of)).type.name);
    const escaped = `__${select.field}__`;
    if (fields?.has(escaped) && !fields.has(select.field)) select.field = escaped;
  }

  #field(at: number, operand: CelType, field: string, isAsked: boolean): CelType {
    const of = unwrapped(this.#unifier.substitute(operand));
    const type = this.#fieldType(at, of.type, field);
    return of.isOptional || isAsked ? optionalOf(type) : type;
  }

  #fieldType(at: number, type: CelType, field: string): CelType {
    switch (type.kind) {
      case 'map':
        return type.parameters[1] ?? TYPES.dyn;
      case 'struct': {
        const fields = this.#environment.structs.get(type.name);
        if (!fields) return this.#report(at, `unexpected failed resolution of '${showType(type)}'`);
        return fields.get(field) ?? this.#report(at, `undefined field '${field}'`);
      }
      case 'parameter':
        this.#unifier.isAssignable(TYPES.dyn, type);
        return TYPES.dyn;
      default:
        if (!isOpen(type)) this.#report(at, `type '${showType(type)}' does not support field selection`);
        return TYPES.dyn;
    }
  }

  #call(call: Call): CelType {
    if (call.function === '_?._') return this.#optionalField(call);
    for (const argument of call.args) this.check(argument);
    call.function = call.function.replace(/^\./, '');
    if (!call.target) return this.#named(call, call.function);
    const prefix = qualifiedName(call.target);
    const qualified = prefix === undefined ? undefined : `${prefix}.${call.function}`.replace(/^\./, '');
    if (qualified !== undefined && functionsByName().has(qualified)) {
      // The function has a dotted name, such as `sets.contains(a, b)`, so there is no receiver.
      delete call.target;
      call.function = qualified;
      return this.#named(call, qualified);
    }
    this.check(call.target);
    return this.#named(call, call.function, call.target);
  }

  #optionalField({ id, at, args: [operand, field] }: Call): CelType {
    const name = field?.kind === 'literal' ? String(field.value) : '';
    this.overloads.set(id, ['select_optional_field']);
    return this.#unifier.substitute(this.#field(at, this.check(operand as Expression), name, true));
  }

  #named(call: Call, name: string, target?: Expression): CelType {
    const overloads = functionsByName().get(name);
    if (!overloads) return this.#report(call.at, undeclared(name));
    const values = [...(target ? [target] : []), ...call.args];
    const types = values.map(({ id }) => this.types.get(id) ?? TYPES.error);
    if (name === '_&&_' || name === '_||_') return this.#logical(call, overloads, values, types);
    return this.#resolve(call, { name, overloads, types, isMethod: target !== undefined });
  }

  #logical({ id }: Call, overloads: readonly Overload[], values: readonly Expression[], types: readonly CelType[]) {
    const before = this.issues.length;
    for (const [index, type] of types.entries()) {
      if (!this.#unifier.isAssignable(type, TYPES.bool)) this.#mismatch(values[index]?.at ?? 0, TYPES.bool, type);
    }
    if (this.issues.length > before) return TYPES.error;
    this.overloads.set(
      id,
      overloads.map((it) => it.id),
    );
    return TYPES.bool;
  }

  #resolve(call: Call, use: Use): CelType {
    const { fitting, result } = resolve(use, this.#unifier, () => this.#freshParameter());
    this.overloads.set(call.id, fitting);
    return result ?? this.#report(call.at, noOverload(use, this.#unifier));
  }

  /** Items of different types make a list of `dyn`; literals.ts rejects it, except in the arguments of `format`. */
  #join(before: CelType | undefined, type: CelType): CelType {
    if (!before) return type;
    return this.#unifier.isAssignable(before, type) ? mostGeneral(before, type) : TYPES.dyn;
  }

  /** The type of an item or a value. If it has a question mark, the type inside its optional. */
  #itemType(value: Expression, isOptional: boolean): CelType {
    const type = this.check(value);
    if (!isOptional) return type;
    const inner = unwrapped(type);
    if (!inner.isOptional && type.kind !== 'dyn') this.#mismatch(value.at, optionalOf(inner.type), inner.type);
    return inner.type;
  }

  #list({ items }: ListLiteral): CelType {
    let type: CelType | undefined;
    for (const { value, isOptional } of items) type = this.#join(type, this.#itemType(value, isOptional));
    return listOf(type ?? this.#freshParameter());
  }

  #map({ entries }: MapLiteral): CelType {
    let keys: CelType | undefined;
    let values: CelType | undefined;
    for (const { key, value, isOptional } of entries) {
      keys = this.#join(keys, this.check(key));
      values = this.#join(values, this.#itemType(value, isOptional));
    }
    return mapOf(keys ?? this.#freshParameter(), values ?? this.#freshParameter());
  }

  /** Expressions cannot construct messages: none of their types is a message type. */
  #message({ at, name, fields }: Message): CelType {
    const type = namedType(name);
    const fault = type ? `'${name}' is not a message type` : undeclared(name);
    for (const { value } of type ? fields : []) this.check(value);
    return this.#report(at, fault);
  }

  /** The types of the loop variables over this range. */
  #variables(range: Expression, hasTwo: boolean): CelType[] {
    const type = this.#unifier.substitute(this.check(range));
    const [first = TYPES.dyn, second = TYPES.dyn] = type.parameters;
    if (type.kind === 'list') return hasTwo ? [TYPES.int, first] : [first];
    if (type.kind === 'map') return [first, second];
    if (isOpen(type) || type.kind === 'parameter') {
      this.#unifier.isAssignable(TYPES.dyn, type);
      return [TYPES.dyn, TYPES.dyn];
    }
    const why = 'cannot be range of a comprehension (must be list, map, or dynamic)';
    this.#report(range.at, `expression of type '${showType(type)}' ${why}`);
    return [TYPES.error, TYPES.error];
  }

  #assert(part: Expression, expected: CelType): void {
    const type = this.types.get(part.id) ?? TYPES.error;
    if (!this.#unifier.isAssignable(expected, type)) this.#mismatch(part.at, expected, type);
  }

  #comprehension(loop: Comprehension): CelType {
    const { range, init, condition, step, result, variable, second, accumulator } = loop;
    const [first = TYPES.dyn, other = TYPES.dyn] = this.#variables(range, second !== undefined);
    const type = this.check(init);
    this.#scopes.push(new Map([[accumulator, type]]));
    const scope = new Map([[variable, first]]);
    if (second !== undefined) scope.set(second, other);
    this.#scopes.push(scope);
    this.check(condition);
    this.#assert(condition, TYPES.bool);
    this.check(step);
    this.#assert(step, type);
    this.#scopes.pop();
    const gives = this.check(result);
    this.#scopes.pop();
    return this.#unifier.substitute(gives);
  }
}

/** Checks an expression. Returns the types of its nodes, and its errors. */
export const check = (root: Expression, environment: Environment): Checked => {
  const checker = new Checker(environment);
  checker.check(root);
  checker.finish();
  const { types, overloads, typeNames, issues } = checker;
  return { root, types, overloads, typeNames, issues };
};
