import type { ASTNode } from '@marcbachmann/cel-js';
import { call, NAMESPACES } from './functions/library.ts';
import { isMacro, runMacro, type Scope } from './macros.ts';
import { type Meter, TRAVERSAL } from './meter.ts';
import { binary, optionalSelect, select, unary } from './operators.ts';
import { CelError, type CelValue, isList, isMap, noOverload, Optional, TypeName, Uint } from './value.ts';

const LIST_COST = 10;
const MAP_COST = 30;

const TYPES: ReadonlySet<string> = new Set(
  'int uint double bool string bytes list map null_type type timestamp duration'.split(' '),
);

const constantOf = (value: unknown): CelValue => {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value as CelValue;
  // An unsigned integer of the library.
  return new Uint(BigInt(String(value)));
};

const identifier = (name: string, scope: Scope, meter: Meter): CelValue => {
  const value = scope.get(name);
  meter.spend(1);
  if (value !== undefined) return value;
  if (TYPES.has(name)) return new TypeName(name);
  throw new CelError(`no such attribute(s): ${name}`);
};

/** `||` and `&&` look at both sides: an error of one counts only where the other does not decide. */
const logical = (decides: boolean, a: ASTNode, b: ASTNode, scope: Scope, meter: Meter): boolean => {
  const faults: unknown[] = [];
  for (const side of [a, b]) {
    try {
      const value = interpret(side, scope, meter);
      if (typeof value !== 'boolean') throw noOverload();
      if (value === decides) return decides;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
  return !decides;
};

const optionalMember = (value: CelValue, key: CelValue): Optional => {
  if (!(value instanceof Optional)) return new Optional(optionalSelect(value, key));
  return new Optional(value.value === undefined ? undefined : optionalSelect(value.value, key));
};

/** `a.b` of an optional is optional. */
const member = (value: CelValue, key: CelValue): CelValue =>
  value instanceof Optional ? optionalMember(value, key) : select(value, key);

/** What a call costs beyond 1: reading texts and lists takes as long as they are. */
const weight = (args: readonly CelValue[]): number =>
  args.reduce<number>((sum, arg) => {
    if (typeof arg === 'string') return sum + Math.ceil(arg.length * TRAVERSAL);
    return sum + (isList(arg) ? Math.ceil(arg.length * TRAVERSAL) : isMap(arg) ? Math.ceil(arg.size * TRAVERSAL) : 0);
  }, 1);

const invoke = (name: string, args: readonly CelValue[], meter: Meter): CelValue => {
  meter.spend(weight(args));
  const value = call(name, args);
  if (value === undefined) throw noOverload();
  return value;
};

const namespaceOf = (node: ASTNode, scope: Scope): string | undefined =>
  node.op === 'id' && (NAMESPACES.has(node.args) || node.args === 'optional') && !scope.has(node.args)
    ? node.args
    : undefined;

const method = (node: Extract<ASTNode, { op: 'rcall' }>, scope: Scope, meter: Meter): CelValue => {
  const [name, receiver, given] = node.args;
  if (isMacro(name, given.length)) return runMacro(node, { evaluate: interpret, scope, meter });
  const args = given.map((arg) => interpret(arg, scope, meter));
  const namespace = namespaceOf(receiver, scope);
  if (namespace !== undefined) return invoke(`${namespace}.${name}`, [null, ...args], meter);
  return invoke(`.${name}`, [interpret(receiver, scope, meter), ...args], meter);
};

/** `has(a.b)`: whether the last member is there; those before it have to be. */
const has = (node: ASTNode | undefined, scope: Scope, meter: Meter): boolean => {
  if (node?.op !== '.' && node?.op !== '.?') throw noOverload();
  const [of, key] = node.args;
  const value = interpret(of, scope, meter);
  if (value instanceof Optional) return optionalMember(value, key).value !== undefined;
  return isMap(value) && value.has(key);
};

const condition = ([test, then, otherwise]: readonly ASTNode[], scope: Scope, meter: Meter): CelValue => {
  const value = interpret(test as ASTNode, scope, meter);
  if (typeof value !== 'boolean') throw noOverload();
  return interpret((value ? then : otherwise) as ASTNode, scope, meter);
};

type Access = Extract<ASTNode, { op: '.' | '.?' | '[]' | '[?]' }>;

const isAccess = (node: ASTNode): node is Access => ['.', '.?', '[]', '[?]'].includes(node.op);

/** A member by its name, or an item by a value; with a question mark what is not there is no error. */
const access = (node: Access, scope: Scope, meter: Meter): CelValue => {
  meter.spend(1);
  const of = interpret(node.args[0], scope, meter);
  const key = typeof node.args[1] === 'string' ? node.args[1] : interpret(node.args[1], scope, meter);
  return node.op === '.' || node.op === '[]' ? member(of, key) : optionalMember(of, key);
};

const construct = (node: Extract<ASTNode, { op: 'list' | 'map' }>, scope: Scope, meter: Meter): CelValue => {
  meter.spend(node.op === 'list' ? LIST_COST : MAP_COST);
  if (node.op === 'list') return node.args.map((item) => interpret(item, scope, meter));
  return new Map(node.args.map(([key, value]) => [interpret(key, scope, meter), interpret(value, scope, meter)]));
};

const callFunction = ([name, args]: readonly [string, ASTNode[]], scope: Scope, meter: Meter): CelValue => {
  if (name === 'has') return has(args[0], scope, meter);
  const values = args.map((arg) => interpret(arg, scope, meter));
  return invoke(name, values, meter);
};

/**
 * The value of an expression. Each step is paid for at `meter`. The library that parses and checks expressions could
 * evaluate them as well, but neither counts what they cost nor keeps JavaScript's regular expressions from running for
 * minutes. Throws CelError, and CostError where the expression costs too much.
 */
export const interpret = (node: ASTNode, scope: Scope, meter: Meter): CelValue => {
  if (isAccess(node)) return access(node, scope, meter);
  switch (node.op) {
    case 'value':
      return constantOf(node.args);
    case 'id':
      return identifier(node.args, scope, meter);
    case '&&':
    case '||':
      return logical(node.op === '||', node.args[0], node.args[1], scope, meter);
    case '?:':
      return condition(node.args, scope, meter);
    case '!_':
    case '-_':
      meter.spend(1);
      return unary(node.op, interpret(node.args, scope, meter));
    case 'list':
    case 'map':
      return construct(node, scope, meter);
    case 'call':
      return callFunction(node.args, scope, meter);
    case 'rcall':
      return method(node, scope, meter);
    default: {
      const [a, b] = [interpret(node.args[0], scope, meter), interpret(node.args[1], scope, meter)];
      meter.spend(weight([a, b]));
      return binary(node.op, a, b);
    }
  }
};
