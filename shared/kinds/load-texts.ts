import type { TextsOf } from '../kube-api/schema/with-descriptions.ts';

/**
 * Loads the descriptions of all fields, which are in a separate module: only OpenAPI documents and definitions contain
 * them.
 */
export const loadTexts = async (): Promise<TextsOf> => {
  const { textsOf } = await import('./texts/kind-texts.ts');
  return textsOf;
};
