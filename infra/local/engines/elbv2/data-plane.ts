/** The address at which a simulated machine serves a port: the laptop's replacement for its private IP address. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The connections between simulated machines and simulated load balancers. */
export interface DataPlane {
  /** The address of port `port` of an instance, or undefined if nothing listens on it. */
  endpointOf(instanceId: string, port: number): Endpoint | undefined;
}

export interface DataPlaneRegistry extends DataPlane {
  /** Makes a machine answer a port. A later call for the same port changes the address. */
  serve(instanceId: string, port: number, endpoint: Endpoint): void;
  /** Makes a machine stop answering a port, or all its ports. */
  withdraw(instanceId: string, port?: number): void;
}

/** An empty registry, which the simulated machines fill in. */
export const createDataPlane = (): DataPlaneRegistry => {
  const machines = new Map<string, Map<number, Endpoint>>();
  return {
    endpointOf: (instanceId, port) => machines.get(instanceId)?.get(port),
    serve: (instanceId, port, endpoint) => {
      const ports = machines.get(instanceId) ?? new Map<number, Endpoint>();
      machines.set(instanceId, ports.set(port, endpoint));
    },
    withdraw: (instanceId, port) => {
      if (port === undefined) machines.delete(instanceId);
      else machines.get(instanceId)?.delete(port);
    },
  };
};
