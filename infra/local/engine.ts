import type { Identity } from './template.ts';

/** One resource of the template, with resolved properties. */
export interface Resource {
  logicalId: string;
  type: string;
  properties: Readonly<Record<string, unknown>>;
}

/**
 * Creates the resources of one family of CloudFormation types on the laptop. Engines are selected by type and
 * configured only by the template, so there is no second description of the system.
 */
export interface Engine {
  /** The CloudFormation types that it creates. */
  types: readonly string[];
  /** Creates a resource and returns its attributes for the template. Rejects if it cannot. */
  create(resource: Resource): Promise<Identity> | Identity;
  /** Called when all resources exist, in the order of the engines. */
  start?(): Promise<void>;
  /** Called in reverse order. Never rejects if nothing was started. */
  stop?(): Promise<void>;
}

/**
 * Refuses properties that an engine neither implements nor deliberately ignores, so that nothing in the template is
 * ignored by accident.
 */
export const onlyKnown = (resource: Resource, known: readonly string[]): void => {
  const unknown = Object.keys(resource.properties).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`${resource.type} "${resource.logicalId}": the laptop does not know ${unknown.join(', ')}`);
};

/** The text of a property. Throws an error with the resource's name if it is missing or not a text. */
export const text = (resource: Resource, name: string): string => {
  const value = resource.properties[name];
  if (typeof value !== 'string') throw new Error(`${resource.type} "${resource.logicalId}": ${name} must be a text`);
  return value;
};
