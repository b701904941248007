import { type CelType, isOpen, isSameType, TYPES, withParameters } from './types.ts';

/** Objects, and values of library types, can be compared with null. */
const NULLABLE: ReadonlySet<CelType['kind']> = new Set(['opaque', 'struct', 'duration', 'timestamp', 'null']);

const pairs = (a: readonly CelType[], b: readonly CelType[]): [CelType, CelType][] =>
  a.map((type, index) => [type, b[index] as CelType]);

/** Reports whether the first type covers all values of the second. */
const isAsGeneral = (a: CelType, b: CelType): boolean => {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true;
  if (b.kind === 'dyn' || b.kind === 'parameter' || a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.parameters.length === 0) return isSameType(a, b);
  return (
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    pairs(a.parameters, b.parameters).every(([left, right]) => isAsGeneral(left, right))
  );
};

export const mostGeneral = (a: CelType, b: CelType): CelType => (isAsGeneral(a, b) ? a : b);

/**
 * Binds the type parameters of one expression by cel-go's rules for assignability (checker/types.go). A failed
 * comparison leaves no bindings.
 */
export class Unifier {
  readonly #known = new Map<string, CelType>();
  readonly #trail: [string, CelType | undefined][] = [];

  /** Reports whether each type in `b` is assignable to its counterpart in `a`, and keeps the resulting bindings. */
  areAssignable(a: readonly CelType[], b: readonly CelType[]): boolean {
    const mark = this.#trail.length;
    if (a.length === b.length && pairs(a, b).every(([left, right]) => this.#assigns(left, right))) return true;
    for (const [name, before] of this.#trail.splice(mark).reverse()) {
      if (before) this.#known.set(name, before);
      else this.#known.delete(name);
    }
    return false;
  }

  isAssignable(a: CelType, b: CelType): boolean {
    return this.areAssignable([a], [b]);
  }

  /** Replaces bound type parameters. With `isFinal`, unbound ones become `dyn`. */
  substitute(type: CelType, isFinal = false): CelType {
    const known = type.kind === 'parameter' ? this.#known.get(type.name) : undefined;
    if (known) return this.substitute(known, isFinal);
    if (isFinal && type.kind === 'parameter') return TYPES.dyn;
    if (type.parameters.length === 0) return type;
    return withParameters(
      type,
      type.parameters.map((it) => this.substitute(it, isFinal)),
    );
  }

  #learn(name: string, type: CelType): void {
    this.#trail.push([name, this.#known.get(name)]);
    this.#known.set(name, type);
  }

  #assigns(a: CelType, b: CelType): boolean {
    if (b.kind === 'parameter') {
      const { isValid, isKnown } = this.#fills(a, b);
      if (isValid) return true;
      if (isKnown) return false;
    }
    if (a.kind === 'parameter') return this.#fills(b, a).isValid;
    if (isOpen(a) || isOpen(b)) return true;
    if (a.kind === 'null') return NULLABLE.has(b.kind);
    if (b.kind === 'null') return NULLABLE.has(a.kind);
    if (a.kind === 'type') return b.kind === 'type';
    if (a.kind !== b.kind || a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
    return pairs(a.parameters, b.parameters).every(([left, right]) => this.#assigns(left, right));
  }

  /** Reports whether `type` can be bound to `parameter`. */
  #fills(type: CelType, parameter: CelType): { isValid: boolean; isKnown: boolean } {
    if (isSameType(type, parameter)) return { isValid: true, isKnown: true };
    const known = this.#known.get(parameter.name);
    if (!known) {
      if (this.#mentions(type, parameter)) return { isValid: false, isKnown: false };
      this.#learn(parameter.name, type);
      return { isValid: true, isKnown: false };
    }
    if (isSameType(type, known)) return { isValid: true, isKnown: true };
    if (!this.#assigns(type, known)) return { isValid: false, isKnown: true };
    const wider = mostGeneral(type, known);
    if (!this.#mentions(wider, parameter)) this.#learn(parameter.name, wider);
    return { isValid: true, isKnown: true };
  }

  /** A parameter cannot be bound to a type that contains it. */
  #mentions(within: CelType, parameter: CelType): boolean {
    if (isSameType(within, parameter)) return true;
    const known = within.kind === 'parameter' ? this.#known.get(within.name) : undefined;
    if (known) return this.#mentions(known, parameter);
    return within.parameters.some((it) => this.#mentions(it, parameter));
  }
}
