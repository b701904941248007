import * as z from 'zod';
import type { KubeObject } from '../../kube-api/object.ts';
import { bytes, int32, keyedList, someOf, struct, text, textMap } from '../schema/fields.ts';
import { deprecatedStatus } from '../schema/machine-parts.ts';
import { conditions, labelSelector } from '../schema/meta.ts';

const serviceReference = struct({ namespace: text(1, 63), name: text(1, 63) }, { path: text(1, 512), port: int32() });

export const clientConfigFields = {
  url: text(1, 512),
  service: serviceReference,
  caBundle: bytes.min(1).max(51200),
};

const clientConfig = someOf(clientConfigFields);

export const specFields = { namespaceSelector: labelSelector, settings: textMap };

const spec = struct({ clientConfig }, specFields);

const failurePolicy = z.enum(['Ignore', 'Fail']);

const handlerWith = <T extends z.ZodType>(timeoutSeconds: T) =>
  struct(
    { name: text(1, 512), requestHook: struct({ apiVersion: text(1, 512), hook: text(1, 256) }, {}) },
    { timeoutSeconds, failurePolicy },
  );

const handler = handlerWith(int32({ min: 1 }));

const listOf = <T extends z.ZodType>(item: T) => keyedList(['name'], item, { max: 512 });

/** Handlers in the form of v1alpha1, whose timeout has no lower limit. */
export const oldHandlers = () => listOf(handlerWith(int32()));

const status = someOf({ conditions, handlers: listOf(handler), deprecated: deprecatedStatus({}) });

export const extensionConfigSchema = struct({ spec }, { status });

/** A handler of an extension, as discovery has found it. */
export type ExtensionHandler = z.input<typeof handler>;

/** A server or a Lambda function that is called at certain points of a cluster's lifecycle. */
export interface ExtensionConfig extends KubeObject {
  spec: z.input<typeof spec>;
  status?: z.input<typeof status>;
}
