import type { KubeObject } from '../object.ts';
import type { FieldError } from '../resource.ts';

/** Rules about one write that depend on other objects, which were read beforehand. All of them are pure. */
export interface RelatedRules<T extends KubeObject = KubeObject> {
  /** Defaults that depend on other objects, and why they cannot be determined; errors refuse the write immediately. */
  complete?(object: T, old: T | undefined): { object: T; errors: FieldError[] };
  validate?(object: T, old: T | undefined): FieldError[];
  warnings?: readonly string[];
}
