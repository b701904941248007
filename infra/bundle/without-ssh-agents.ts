/**
 * Stands for the agents of ssh2 in the bundles. They start programs, which a function must not be able to do; Windlass
 * logs in with a key from a Secret alone.
 */
export class AgentContext {}
export const isAgent = (): boolean => false;
export const createAgent = (): never => {
  throw new Error('there are no SSH agents here');
};
