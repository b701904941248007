import type { TextsOf } from '../kube-api/schema/with-descriptions.ts';

/** Loads the descriptions of all fields, a module of their own: only OpenAPI documents and definitions show them. */
export const loadTexts = async (): Promise<TextsOf> => {
  const { textsOf } = await import('./texts/kind-texts.ts');
  return textsOf;
};
