import { Builder } from './builder.ts';
import type { Entry, Expression } from './expression.ts';
import { SyntaxFault } from './issue.ts';
import { literalOf } from './literals.ts';
import { expandFunction, expandMethod } from './macros.ts';
import { type Token, tokensOf } from './tokens.ts';

/** cel-go's limit; deeper expressions could overflow the stack. */
const MAX_DEPTH = 250;

const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const KEYWORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in']);

const RELATIONS = ['<', '<=', '>=', '>', '==', '!=', 'in'];

const isName = ({ kind, text }: Token): boolean => kind === 'name' && !KEYWORDS.has(text);

/** Parses CEL's grammar (github.com/google/cel-spec, doc/langdef.md) with cel-go's optional values and macros. */
class Parser {
  readonly #make = new Builder();
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): Expression {
    const expression = this.#expression();
    this.#take('<EOF>');
    return expression;
  }

  get #token(): Token {
    return this.#tokens[this.#position] as Token;
  }

  #is(...texts: readonly string[]): boolean {
    const { kind, text } = this.#token;
    return (kind === 'sign' || kind === 'end' || text === 'in') && texts.includes(text);
  }

  #next(): Token {
    const token = this.#token;
    this.#position += 1;
    return token;
  }

  #unexpected(): SyntaxFault {
    const { text, at } = this.#token;
    return new SyntaxFault(at, `Syntax error: mismatched input '${text}'`);
  }

  #take(text: string): Token {
    if (!this.#is(text)) throw this.#unexpected();
    return this.#next();
  }

  #skip(text: string): boolean {
    const found = this.#is(text);
    if (found) this.#position += 1;
    return found;
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      throw new SyntaxFault(this.#token.at, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    }
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #expression(): Expression {
    return this.#nested(() => {
      const condition = this.#logical('||', () => this.#and());
      if (!this.#is('?')) return condition;
      const { at } = this.#next();
      const then = this.#logical('||', () => this.#and());
      this.#take(':');
      return this.#make.call(at, '_?_:_', [condition, then, this.#expression()]);
    });
  }

  #and(): Expression {
    return this.#logical('&&', () => this.#relation());
  }

  /** Turns a chain of `&&` or `||` into a balanced tree, so that a long chain is not deeply nested. */
  #logical(sign: '&&' | '||', read: () => Expression): Expression {
    const terms = [read()];
    const places: number[] = [];
    while (this.#is(sign)) {
      places.push(this.#next().at);
      terms.push(read());
    }
    const balanced = (low: number, high: number): Expression => {
      if (low > high) return terms[low] as Expression;
      const middle = Math.floor((low + high + 1) / 2);
      const sides = [balanced(low, middle - 1), balanced(middle + 1, high)];
      return this.#make.call(places[middle] as number, `_${sign}_`, sides);
    };
    return balanced(0, places.length - 1);
  }

  /** Parses left-associative operators of one precedence. */
  #binary(signs: readonly string[], read: () => Expression): Expression {
    let left = read();
    const before = this.#depth;
    while (this.#is(...signs)) {
      const { text, at } = this.#next();
      const right = read();
      left = this.#nested(() => this.#make.call(at, text === 'in' ? '@in' : `_${text}_`, [left, right]));
      this.#depth += 1;
    }
    this.#depth = before;
    return left;
  }

  #relation(): Expression {
    return this.#binary(RELATIONS, () =>
      this.#binary(['+', '-'], () => this.#binary(['*', '/', '%'], () => this.#unary())),
    );
  }

  #unary(): Expression {
    const sign = ['!', '-'].find((it) => this.#is(it));
    if (sign === undefined) return this.#member();
    const [first, second] = [this.#token, this.#tokens[this.#position + 1]];
    if (sign === '-' && (second?.kind === 'int' || second?.kind === 'double')) return this.#member();
    let count = 0;
    while (this.#is(sign) && !this.#isNegativeNumber(count)) {
      this.#position += 1;
      count += 1;
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#make.call(first.at, sign === '!' ? '!_' : '-_', [operand]);
  }

  /** The last minus before a number belongs to the number. */
  #isNegativeNumber(count: number): boolean {
    const kind = this.#tokens[this.#position + 1]?.kind;
    return count > 0 && this.#is('-') && (kind === 'int' || kind === 'double');
  }

  #member(): Expression {
    let expression = this.#primary();
    const before = this.#depth;
    for (;;) {
      if (this.#is('.')) expression = this.#nested(() => this.#field(expression));
      else if (this.#is('[')) expression = this.#nested(() => this.#index(expression));
      else break;
      this.#depth += 1;
    }
    this.#depth = before;
    return expression;
  }

  #field(operand: Expression): Expression {
    const { at } = this.#take('.');
    const isOptional = this.#skip('?');
    if (!isName(this.#token)) throw this.#unexpected();
    const name = this.#next();
    if (isOptional) return this.#make.call(at, '_?._', [operand, this.#make.literal(name.at, name.text)]);
    if (!this.#is('(')) return this.#make.select(at, operand, name.text);
    const open = this.#token.at;
    const args = this.#arguments();
    const expanded = expandMethod(name.text, { make: this.#make, at: open, args }, operand);
    return expanded ?? this.#make.call(open, name.text, args, operand);
  }

  #index(operand: Expression): Expression {
    const { at } = this.#take('[');
    const isOptional = this.#skip('?');
    const index = this.#expression();
    this.#take(']');
    return this.#make.call(at, isOptional ? '_[?_]' : '_[_]', [operand, index]);
  }

  #arguments(): Expression[] {
    this.#take('(');
    const args: Expression[] = [];
    if (!this.#is(')')) {
      do args.push(this.#expression());
      while (this.#skip(','));
    }
    this.#take(')');
    return args;
  }

  #primary(): Expression {
    const token = this.#token;
    if (this.#skip('(')) {
      const expression = this.#expression();
      this.#take(')');
      return expression;
    }
    if (this.#is('[')) return this.#list();
    if (this.#is('{')) return this.#map();
    if (this.#is('.') || isName(token)) return this.#named();
    const sign = this.#is('-') ? this.#next().text : '';
    const value = literalOf(this.#token, sign);
    if (value === undefined) throw this.#unexpected();
    this.#position += 1;
    return this.#make.literal(token.at, value);
  }

  /** Parses an identifier, a function call, or a message literal whose type name may contain dots. */
  #named(): Expression {
    const start = this.#position;
    const dot = this.#skip('.') ? '.' : '';
    if (!isName(this.#token)) throw this.#unexpected();
    const name = this.#next();
    const message = this.#message(start);
    if (message) return message;
    if (RESERVED.has(name.text)) throw new SyntaxFault(name.at, `reserved identifier: ${name.text}`);
    if (!this.#is('(')) return this.#make.identifier(name.at, `${dot}${name.text}`);
    const open = this.#token.at;
    const args = this.#arguments();
    const expanded = expandFunction(`${dot}${name.text}`, { make: this.#make, at: open, args });
    return expanded ?? this.#make.call(open, `${dot}${name.text}`, args);
  }

  #message(start: number): Expression | undefined {
    let end = this.#position;
    while (this.#tokens[end]?.text === '.' && isName(this.#tokens[end + 1] as Token)) end += 2;
    if (this.#tokens[end]?.text !== '{' || this.#tokens[end]?.kind !== 'sign') return undefined;
    const name = this.#tokens
      .slice(start, end)
      .map(({ text }) => text)
      .join('');
    this.#position = end;
    const { at } = this.#take('{');
    const fields = this.#separated('}', () => {
      this.#skip('?');
      if (!isName(this.#token)) throw this.#unexpected();
      const field = this.#next().text;
      this.#take(':');
      return { name: field, value: this.#expression() };
    });
    return { kind: 'message', id: this.#make.id(), at, name, fields };
  }

  /** Parses comma-separated elements up to the closing sign; a trailing comma is allowed. */
  #separated<T>(close: string, read: () => T): T[] {
    const items: T[] = [];
    while (!this.#is(close)) {
      items.push(read());
      if (!this.#skip(',')) break;
    }
    if (items.length === 0) this.#skip(',');
    this.#take(close);
    return items;
  }

  #list(): Expression {
    const { at } = this.#take('[');
    return this.#make.list(
      at,
      this.#separated(']', () => ({ isOptional: this.#skip('?'), value: this.#expression() })),
    );
  }

  #map(): Expression {
    const { at } = this.#take('{');
    const entries = this.#separated('}', (): Entry => {
      const isOptional = this.#skip('?');
      const key = this.#expression();
      const colon = this.#take(':').at;
      return { id: this.#make.id(), at: colon, key, value: this.#expression(), isOptional };
    });
    return this.#make.map(at, entries);
  }
}

/** Parses an expression and expands its macros. Throws SyntaxFault. */
export const parse = (text: string): Expression => new Parser(text).whole();
