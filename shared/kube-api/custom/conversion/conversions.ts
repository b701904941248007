import type { KubeObject } from '../../object.ts';
import type { Conversions, ConvertObjects, ResourceDefinition } from '../../resource.ts';
import { ConversionError } from './error.ts';

/**
 * Rules about objects are pure: none of them waits for a webhook. If one needs an object in another version, it throws
 * what is missing; the object is converted, and the rules are evaluated again (as in decision 62).
 */
class Unconverted extends Error {
  override readonly name = 'Unconverted';
  readonly object: KubeObject;
  readonly apiVersion: string;
  constructor(object: KubeObject, apiVersion: string) {
    super(`not converted to ${apiVersion} yet`);
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

type Outcome = { object: KubeObject } | { error: ConversionError };

/**
 * Twice the number of versions of any kind: a request that needs more conversions asks for a different one each time.
 */
const MOST_CONVERSIONS = 100;

const keyOf = (object: KubeObject, apiVersion: string): string => `${apiVersion} ${JSON.stringify(object)}`;

/** Conversions that are cached for as long as the value exists. */
const createConversions = (convert: ConvertObjects): Conversions => {
  const known = new Map<string, Outcome>();

  const outcomeOf = async ({ object, apiVersion }: Unconverted): Promise<Outcome> => {
    try {
      const [converted = object] = await convert([object], apiVersion);
      return { object: converted };
    } catch (error) {
      if (error instanceof ConversionError) return { error };
      throw error;
    }
  };

  return {
    see: (object, apiVersion) => {
      if (object.apiVersion === apiVersion) return object;
      const found = known.get(keyOf(object, apiVersion));
      if (!found) throw new Unconverted(object, apiVersion);
      if ('error' in found) throw found.error;
      return found.object;
    },
    run: async (work) => {
      for (let left = MOST_CONVERSIONS; left > 0; left -= 1) {
        try {
          return work();
        } catch (error) {
          if (!(error instanceof Unconverted)) throw error;
          known.set(keyOf(error.object, error.apiVersion), await outcomeOf(error));
        }
      }
      throw new Error(`a rule needed more than ${MOST_CONVERSIONS} conversions of one object`);
    },
  };
};

/**
 * The definition for one request, with a cache of the request's conversions; the same value if nothing is converted.
 */
export const forRequest = <T extends KubeObject>(resource: ResourceDefinition<T>): ResourceDefinition<T> => {
  const { custom } = resource;
  if (!custom?.convert || custom.conversions) return resource;
  return { ...resource, custom: { ...custom, conversions: createConversions(custom.convert) } };
};

/** Evaluates rules that may need objects in other versions: immediately if no webhook is needed. */
export const converting = <T>({ custom }: Pick<ResourceDefinition, 'custom'>, rules: () => T): T | Promise<T> =>
  custom?.conversions ? custom.conversions.run(rules) : rules();
