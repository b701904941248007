/** Who asks: the name and the groups that the authentication in front of the server found. */
export interface User {
  name: string;
  groups: readonly string[];
}

/** What an authorizer decides on; resource requests carry a resource, others a path. */
export interface Attributes {
  verb: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  path?: string;
}

export type Authorize = (user: User, attributes: Attributes) => boolean;
