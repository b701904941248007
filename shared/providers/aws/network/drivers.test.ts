import { describe, expect, it } from 'vitest';
import type { AnyDriver } from './driver.ts';
import { DRIVERS, TAKE_DOWN_ORDER } from './drivers.ts';
import { NETWORK_RIGHTS } from './rights.ts';

const twice = (values: readonly unknown[]): unknown[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

const removals = ({ operations }: AnyDriver): string[] =>
  Object.keys(operations).filter((type) => /^(Delete|Detach|Disassociate|Release|Terminate)/.test(type));

describe('the drivers of a network', () => {
  it('are in the take-down order exactly once if they take anything down', () => {
    expect(new Set(TAKE_DOWN_ORDER)).toEqual(new Set(DRIVERS.filter(({ takeDown }) => takeDown)));
    expect(twice(TAKE_DOWN_ORDER)).toEqual([]);
  });

  it('have a take-down if they have an action that removes something', () => {
    const stuck = DRIVERS.filter((driver) => removals(driver).length > 0 && !driver.takeDown);
    // The VPC, and tags on the user's own resources, are removed after all drivers (take-down.ts).
    expect(stuck.flatMap(removals).sort()).toEqual(['DeleteTags', 'DeleteVpc']);
  });

  it('share no action, condition or kind', () => {
    expect(twice(DRIVERS.flatMap(({ operations }) => Object.keys(operations)))).toEqual([]);
    expect(twice(DRIVERS.flatMap(({ condition }) => condition?.type ?? []))).toEqual([]);
    expect(twice(DRIVERS.flatMap(({ kind }) => kind ?? []))).toEqual([]);
  });

  it('have a condition if they name a kind', () => {
    expect(DRIVERS.filter(({ kind, condition }) => kind && !condition)).toEqual([]);
  });

  it('keep a VPC from being deleted while they have something in it', () => {
    const ofTheAccount = ['addresses', 'bastions', 'vpcs'];
    const nothing = { isInside: () => false, isOurs: () => false };
    const empty = { vpcs: [], subnets: [], internetGateways: [], routeTables: [], natGateways: [], addresses: [] };
    const gateways = { egressOnlyGateways: [], carrierGateways: [], endpoints: [] };
    const observed = { ...empty, ...gateways, securityGroups: [], networkInterfaces: [], bastions: [] };
    const parts = DRIVERS.filter(({ inhabits }) => !inhabits).flatMap((driver) =>
      Object.keys(driver.ownPart?.(observed, nothing) ?? {}),
    );
    expect(parts.sort()).toEqual(ofTheAccount);
  });

  it('include the permissions of the sweep among their other read permissions', () => {
    expect(NETWORK_RIGHTS.swept.filter((action) => !NETWORK_RIGHTS.reads.includes(action))).toEqual([]);
    expect(twice([...NETWORK_RIGHTS.creates, ...NETWORK_RIGHTS.changes])).toEqual([]);
  });
});
