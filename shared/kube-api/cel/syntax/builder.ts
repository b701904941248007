import type { CelValue } from '../value.ts';
import type { Call, Comprehension, Entry, Expression, Identifier, ListLiteral, Literal, Select } from './expression.ts';
import { SyntaxFault } from './issue.ts';

type Loop = Omit<Comprehension, 'kind' | 'id' | 'at' | 'result'> & { result?: Expression };

/** The accumulator of a macro's loop. Expressions cannot name it. */
const ACCUMULATOR = '@result';

/** Macros that copy their operand can double an expression each time they are used. */
const MOST_COPIES = 10_000;

/** Creates the nodes of one expression, each with a unique id. */
export class Builder {
  #next = 1;
  #copies = 0;

  id(): number {
    const id = this.#next;
    this.#next += 1;
    return id;
  }

  literal(at: number, value: CelValue): Literal {
    return { kind: 'literal', id: this.id(), at, value };
  }

  identifier(at: number, name: string): Identifier {
    return { kind: 'identifier', id: this.id(), at, name };
  }

  accumulator(at: number): Identifier {
    return this.identifier(at, ACCUMULATOR);
  }

  select(at: number, operand: Expression, field: string, isTest = false): Select {
    return { kind: 'select', id: this.id(), at, operand, field, isTest };
  }

  call(at: number, name: string, args: readonly Expression[], target?: Expression): Call {
    return { kind: 'call', id: this.id(), at, function: name, args, ...(target ? { target } : {}) };
  }

  list(at: number, items: ListLiteral['items']): ListLiteral {
    return { kind: 'list', id: this.id(), at, items };
  }

  map(at: number, entries: readonly Entry[]): Expression {
    return { kind: 'map', id: this.id(), at, entries };
  }

  /** A loop; by default, its result is its accumulator. */
  loop(at: number, loop: Loop): Comprehension {
    return { kind: 'comprehension', id: this.id(), at, ...loop, result: loop.result ?? this.accumulator(at) };
  }

  /** Copies an expression that a macro uses twice, with new ids. Throws SyntaxFault after too many copies. */
  copy(expression: Expression): Expression {
    this.#copies += 1;
    if (this.#copies > MOST_COPIES)
      throw new SyntaxFault(expression.at, 'the macros of the expression are too complex');
    const copy = (part: Expression): Expression => this.copy(part);
    const id = this.id();
    switch (expression.kind) {
      case 'select':
        return { ...expression, id, operand: copy(expression.operand) };
      case 'call': {
        const { target, args } = expression;
        return { ...expression, id, args: args.map(copy), ...(target ? { target: copy(target) } : {}) };
      }
      case 'list':
        return { ...expression, id, items: expression.items.map((item) => ({ ...item, value: copy(item.value) })) };
      case 'map': {
        const entries = expression.entries.map((it) => ({
          ...it,
          id: this.id(),
          key: copy(it.key),
          value: copy(it.value),
        }));
        return { ...expression, id, entries };
      }
      case 'message':
        return { ...expression, id, fields: expression.fields.map((it) => ({ ...it, value: copy(it.value) })) };
      case 'comprehension': {
        const { range, init, condition, step, result } = expression;
        const parts = { range: copy(range), init: copy(init), condition: copy(condition), step: copy(step) };
        return { ...expression, ...parts, id, result: copy(result) };
      }
      default:
        return { ...expression, id };
    }
  }
}

export { ACCUMULATOR };
