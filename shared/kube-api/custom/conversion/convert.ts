import type { Random } from '../../../random.ts';
import type { JsonObject } from '../../json.ts';
import type { KubeObject } from '../../object.ts';
import type { ConvertObjects } from '../../resource.ts';
import { WebhookFault } from '../../webhooks/errors.ts';
import type { CallWebhook } from '../../webhooks/invocation.ts';
import type { CustomDefinition } from '../definition.ts';
import { ConversionError } from './error.ts';
import { type Conversion, readConverted, reviewOf, reviewVersionOf, typeOf } from './review.ts';

/** How conversion webhooks are called. */
export interface ConversionPorts {
  call: CallWebhook;
  random: Pick<Random, 'uuid'>;
}

/**
 * The time limit of one call. Upstream waits for 30 seconds, which is longer than API Gateway waits for the complete
 * request.
 */
const TIMEOUT_SECONDS = 10;

/** The limit for one review; a longer list is sent in several reviews. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Divides objects into groups that fit into one review each. */
const inReviews = (objects: readonly KubeObject[]): KubeObject[][] => {
  const groups: KubeObject[][] = [];
  let room = 0;
  for (const object of objects) {
    const bytes = Buffer.byteLength(JSON.stringify(object));
    const last = groups.at(-1);
    if (last && bytes <= room) last.push(object);
    else groups.push([object]);
    room = (last && bytes <= room ? room : MOST_BYTES) - bytes;
  }
  return groups;
};

const uncalled: CallWebhook = async () => {
  throw new WebhookFault('this server calls no webhooks');
};

/**
 * Conversion by the webhook of a definition: all objects with another version are sent in one review, unless they are
 * too large together. Responses are untrusted: a webhook can only change labels, annotations and the body. Throws a
 * ConversionError in upstream's words. `ports` is undefined if no webhook can be called.
 */
export const makeConvert = ({ spec }: CustomDefinition, ports: ConversionPorts | undefined): ConvertObjects => {
  const { clientConfig = {}, conversionReviewVersions } = spec.conversion?.webhook ?? {};
  const version = reviewVersionOf(conversionReviewVersions);
  const defined = new Set(spec.versions.map(({ name }) => `${spec.group}/${name}`));

  const ask = async (body: JsonObject, first: KubeObject): Promise<unknown> => {
    try {
      return await (ports?.call ?? uncalled)({ clientConfig, body, timeoutSeconds: TIMEOUT_SECONDS });
    } catch (error) {
      if (!(error instanceof WebhookFault)) throw error;
      throw new ConversionError(`conversion webhook for ${typeOf(first)} failed: ${error.message}`);
    }
  };

  const review = async (objects: readonly KubeObject[], apiVersion: string): Promise<KubeObject[]> => {
    const [first] = objects;
    if (!first) return [];
    if (version === undefined) throw new ConversionError('no supported conversion review versions');
    const conversion: Conversion = { uid: ports?.random.uuid() ?? '', version, objects, apiVersion };
    return readConverted(await ask(reviewOf(conversion), first), conversion);
  };

  return async (objects, apiVersion) => {
    const others = objects.filter((object) => object.apiVersion !== apiVersion);
    const unknown = others.find((object) => !defined.has(object.apiVersion));
    if (unknown) {
      throw new ConversionError(`request to convert CR from an invalid group/version: ${unknown.apiVersion}`);
    }
    const converted: KubeObject[] = [];
    for (const group of inReviews(others)) converted.push(...(await review(group, apiVersion)));
    const next = converted.values();
    return objects.map((object) => (object.apiVersion === apiVersion ? object : (next.next().value ?? object)));
  };
};
