import { type FrontDoor, type FrontDoorDependencies, openFrontDoor } from '../load-balancers/front-door.ts';
import type { Address, DataPlane } from '../machines/ports.ts';

/** The network of simulated hosts, with their own and virtual addresses on loopback addresses of this computer. */
export interface HostNetwork extends DataPlane {
  /** Sets the virtual addresses that a host has while it serves something, and replaces its previous ones. */
  announce(host: string, addresses: readonly string[]): void;
  close(): void;
}

interface Door {
  door: FrontDoor;
  /**
   * The addresses behind it, by host. If several hosts announce an address, the first one has it until it stops
   * serving.
   */
  behind: Map<string, Address>;
}

/**
 * `addressOf` returns the address of a host, or undefined if it is not on this computer. A simulated machine listens on
 * its own ports; the network makes them reachable where clients expect them.
 */
export const makeHostNetwork = (
  addressOf: (host: string) => string | undefined,
  dependencies: FrontDoorDependencies,
): HostNetwork => {
  const doors = new Map<string, Door>();
  const announced = new Map<string, readonly string[]>();

  const openDoor = (host: string, port: number): Door => {
    const behind = new Map<string, Address>();
    const door = openFrontDoor({ host, port }, async () => [...behind.values()].slice(0, 1), dependencies);
    return { door, behind };
  };

  return {
    announce: (host, addresses) => {
      announced.set(host, addresses);
    },
    serve: (host, port, address) => {
      for (const at of [addressOf(host) ?? [], ...(announced.get(host) ?? [])].flat()) {
        const key = `${at}:${port}`;
        const door = doors.get(key) ?? openDoor(at, port);
        door.behind.set(host, address);
        doors.set(key, door);
      }
    },
    withdraw: (host, port) => {
      for (const [key, { door, behind }] of doors) {
        if (port !== undefined && !key.endsWith(`:${port}`)) continue;
        if (!behind.delete(host) || behind.size > 0) continue;
        door.close();
        doors.delete(key);
      }
    },
    close: () => {
      for (const { door } of doors.values()) door.close();
      doors.clear();
    },
  };
};
