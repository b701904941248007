/** Annotations whose value is a list of words from a fixed set, separated by commas. */
import { invalidValue } from '../../kube-api/field-error.ts';
import type { KubeObject } from '../../kube-api/object.ts';
import type { FieldError } from '../../kube-api/resource.ts';

export type Annotated = Pick<KubeObject, 'metadata'>;

const wordsIn = (value: string): string[] => value.split(',').map((word) => word.trim());

/** The words of the annotation that are in the set, in the order of the set. */
export const listedWords = <Word extends string>(
  { metadata }: Annotated,
  annotation: string,
  words: readonly Word[],
): readonly Word[] => {
  const given = wordsIn(metadata.annotations?.[annotation] ?? '');
  return words.filter((word) => given.includes(word));
};

/** The rule for the annotation: each word at most once, and no others. `detail`: what the value must be. */
export const validateWords = (
  { metadata }: Annotated,
  annotation: string,
  { words, detail }: { words: readonly string[]; detail: string },
): FieldError[] => {
  const value = metadata.annotations?.[annotation];
  if (value === undefined) return [];
  const given = wordsIn(value);
  const isValid = new Set(given).size === given.length && given.every((word) => words.includes(word));
  return isValid ? [] : [invalidValue(`metadata.annotations[${annotation}]`, value, detail)];
};
