import type { CustomResourceNames } from '../custom-resource-definition.ts';
import type { Condition, KubeObject } from '../object.ts';
import type { OpenApiSchema, PrinterColumn, ScaleSubresource } from '../resource.ts';
import type { ClientConfig } from '../webhooks/configuration.ts';

/** A version of a CustomResourceDefinition as clients write it. */
export interface DefinedVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: OpenApiSchema };
  subresources?: { status?: object; scale?: Partial<ScaleSubresource> };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath?: string }[];
}

/** `strategy`: None or Webhook; the latter needs the other field. */
export interface Conversion {
  strategy?: string;
  webhook?: { clientConfig?: ClientConfig; conversionReviewVersions?: string[] };
}

/** Conditions of a CustomResourceDefinition have no observedGeneration unless a client wrote one. */
export type DefinitionCondition = Condition;

export interface DefinitionStatus {
  acceptedNames?: Partial<CustomResourceNames>;
  storedVersions?: string[];
  conditions?: DefinitionCondition[];
}

/** A CustomResourceDefinition that a client created: admission has set the names that it left out. */
export interface CustomDefinition extends KubeObject {
  spec: {
    group: string;
    scope: string;
    names: Partial<CustomResourceNames>;
    versions: DefinedVersion[];
    conversion?: Conversion;
    preserveUnknownFields?: boolean;
  };
  status?: DefinitionStatus;
}

/** Holds a CustomResourceDefinition until its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export const conditionOf = ({ status }: CustomDefinition, type: string): DefinitionCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const isEstablished = (definition: CustomDefinition): boolean =>
  conditionOf(definition, 'Established')?.status === 'True';
