import type { KubeObject } from './object.ts';
import type { FieldError } from './resource.ts';

/** Rules about one write that follow from other objects, which have been read for it. All of it is pure. */
export interface RelatedRules<T extends KubeObject = KubeObject> {
  /** Defaults that other objects ask for, and why they cannot be given; errors refuse the write at once. */
  complete?(object: T, old: T | undefined): { object: T; errors: FieldError[] };
  validate?(object: T, old: T | undefined): FieldError[];
  warnings?: readonly string[];
}
