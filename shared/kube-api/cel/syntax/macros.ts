import { ACCUMULATOR, type Builder } from './builder.ts';
import type { Expression } from './expression.ts';
import { SyntaxFault } from './issue.ts';

/** A macro call: its arguments, and the position that errors point at. */
interface Use {
  make: Builder;
  at: number;
  args: readonly Expression[];
}

type Method = (use: Use, target: Expression) => Expression;

/** The variable names in the first arguments, and the remaining arguments. */
interface Named {
  variable: string;
  second?: string;
  rest: Expression[];
}

const nameOf = (argument: Expression | undefined, fault: string): string => {
  if (argument?.kind !== 'identifier') throw new SyntaxFault(argument?.at ?? 0, fault);
  if (argument.name === ACCUMULATOR || argument.name === '__result__') {
    throw new SyntaxFault(argument.at, 'iteration variable overwrites accumulator variable');
  }
  return argument.name;
};

const oneName =
  (fault: string) =>
  ([first, ...rest]: readonly Expression[]): Named => ({ variable: nameOf(first, fault), rest });

const twoNames = ([first, second, ...rest]: readonly Expression[]): Named => {
  const fault = 'argument must be a simple name';
  const names = { variable: nameOf(first, fault), second: nameOf(second, fault) };
  if (names.variable === names.second) {
    throw new SyntaxFault(second?.at ?? 0, `duplicate variable name: ${names.second}`);
  }
  return { ...names, rest };
};

type Names = (args: readonly Expression[]) => Named;

const ofNames = ({ variable, second }: Named) => ({ variable, ...(second === undefined ? {} : { second }) });

const last = ({ rest }: Named): Expression => rest.at(-1) as Expression;

/** `all` and `exists` stop at the first item that decides; an error counts only if no item decides. */
const quantifier =
  (names: Names, isAll: boolean): Method =>
  ({ make, at, args }, range) => {
    const named = names(args);
    const undecided = isAll ? make.accumulator(at) : make.call(at, '!_', [make.accumulator(at)]);
    return make.loop(at, {
      ...ofNames(named),
      range,
      accumulator: ACCUMULATOR,
      init: make.literal(at, isAll),
      condition: make.call(at, '@not_strictly_false', [undecided]),
      step: make.call(at, isAll ? '_&&_' : '_||_', [make.accumulator(at), last(named)]),
    });
  };

/** Leaves the accumulator unchanged for items that the filter, if any, rejects. */
const filtered = ({ make, at }: Use, filter: Expression | undefined, step: Expression): Expression =>
  filter ? make.call(at, '_?_:_', [filter, step, make.accumulator(at)]) : step;

const existsOne =
  (names: Names): Method =>
  (use, range) => {
    const { make, at } = use;
    const named = names(use.args);
    const more = make.call(at, '_+_', [make.accumulator(at), make.literal(at, 1n)]);
    return make.loop(at, {
      ...ofNames(named),
      range,
      accumulator: ACCUMULATOR,
      init: make.literal(at, 0n),
      condition: make.literal(at, true),
      step: filtered(use, last(named), more),
      result: make.call(at, '_==_', [make.accumulator(at), make.literal(at, 1n)]),
    });
  };

const collected = (use: Use, range: Expression, named: Named, item: Expression, filter?: Expression): Expression => {
  const { make, at } = use;
  const more = make.call(at, '_+_', [make.accumulator(at), make.list(at, [{ value: item, isOptional: false }])]);
  return make.loop(at, {
    ...ofNames(named),
    range,
    accumulator: ACCUMULATOR,
    init: make.list(at, []),
    condition: make.literal(at, true),
    step: filtered(use, filter, more),
  });
};

const NO_NAME = 'argument is not an identifier';

const mapped =
  (names: Names): Method =>
  (use, range) => {
    const named = names(use.args);
    return collected(use, range, named, last(named), named.rest.length === 2 ? named.rest[0] : undefined);
  };

const filter: Method = (use, range) => {
  const named = oneName(NO_NAME)(use.args);
  return collected(use, range, named, use.args[0] as Expression, last(named));
};

/** With `isEntry`, the transformation returns a map of new entries instead of the value for the key. */
const transformMap =
  (isEntry: boolean): Method =>
  (use, range) => {
    const { make, at } = use;
    const named = twoNames(use.args);
    const key = isEntry ? [] : [make.identifier(at, named.variable)];
    const more = make.call(at, 'cel.@mapInsert', [make.accumulator(at), ...key, last(named)]);
    return make.loop(at, {
      ...ofNames(named),
      range,
      accumulator: ACCUMULATOR,
      init: make.map(at, []),
      condition: make.literal(at, true),
      step: filtered(use, named.rest.length === 2 ? named.rest[0] : undefined, more),
    });
  };

/** `optMap` and `optFlatMap` bind the variable to the value of an optional, if it has one. */
const onOptional =
  (name: string): Method =>
  ({ make, at, args: [variable, body] }, target) => {
    if (variable?.kind !== 'identifier') {
      throw new SyntaxFault(variable?.at ?? at, `${name}() variable name must be a simple identifier`);
    }
    const value = make.loop(at, {
      range: make.list(at, []),
      variable: '#unused',
      accumulator: variable.name,
      init: make.call(at, 'value', [], make.copy(target)),
      condition: make.literal(at, false),
      step: make.identifier(at, variable.name),
      result: body as Expression,
    });
    const found = name === 'optMap' ? make.call(at, 'optional.of', [value]) : value;
    const none = make.call(at, 'optional.none', []);
    return make.call(at, '_?_:_', [make.call(at, 'hasValue', [], target), found, none]);
  };

const SORTED = '@__sortBy_input__';

/** Sorts by the body's result for each item. */
const sortBy: Method = (use, target) => {
  const { make, at } = use;
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'message') {
    const fault = 'sortBy can only be applied to a list, identifier, comprehension, call or select expression';
    throw new SyntaxFault(target.at, fault);
  }
  const keys = mapped(oneName(NO_NAME))(use, make.identifier(at, SORTED));
  return make.loop(at, {
    range: make.list(at, []),
    variable: '#unused',
    accumulator: SORTED,
    init: target,
    condition: make.literal(at, false),
    step: make.identifier(at, SORTED),
    result: make.call(at, '@sortByAssociatedKeys', [keys], make.identifier(at, SORTED)),
  });
};

const simpleName = oneName('argument must be a simple name');

/** Macros by name and number of arguments (cel-go's macros, optional values and two-variable comprehensions). */
const METHODS: Readonly<Record<string, Method>> = {
  'all/2': quantifier(simpleName, true),
  'all/3': quantifier(twoNames, true),
  'exists/2': quantifier(simpleName, false),
  'exists/3': quantifier(twoNames, false),
  'exists_one/2': existsOne(simpleName),
  'exists_one/3': existsOne(twoNames),
  'existsOne/3': existsOne(twoNames),
  'map/2': mapped(oneName(NO_NAME)),
  'map/3': mapped(oneName(NO_NAME)),
  'filter/2': filter,
  'transformList/3': mapped(twoNames),
  'transformList/4': mapped(twoNames),
  'transformMap/3': transformMap(false),
  'transformMap/4': transformMap(false),
  'transformMapEntry/3': transformMap(true),
  'transformMapEntry/4': transformMap(true),
  'sortBy/2': sortBy,
  'optMap/2': onOptional('optMap'),
  'optFlatMap/2': onOptional('optFlatMap'),
};

/** Expands a method call, or returns undefined if it is not a macro. Throws SyntaxFault. */
export const expandMethod = (name: string, use: Use, target: Expression): Expression | undefined =>
  METHODS[`${name}/${use.args.length}`]?.(use, target);

/** Expands `has(a.b)`, or returns undefined for other functions. Throws SyntaxFault. */
export const expandFunction = (name: string, { make, at, args }: Use): Expression | undefined => {
  const [argument] = args;
  if (name !== 'has' || args.length !== 1 || !argument) return undefined;
  if (argument.kind !== 'select') throw new SyntaxFault(argument.at, 'invalid argument to has() macro');
  return make.select(at, argument.operand, argument.field, true);
};
