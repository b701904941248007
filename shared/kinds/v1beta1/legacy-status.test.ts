import { describe, expect, it } from 'vitest';
import { machine } from '../machine/definition.ts';
import { machineDeployment } from '../machine-deployment/definition.ts';
import { conversionsOf, yaml } from './test-conversion.ts';

const since = "lastTransitionTime: '2026-01-02T03:04:05Z'";

describe('the status that v1beta1 clients read', () => {
  it('follows from the conditions and counters of v1beta2', () => {
    const stored = `
      status:
        replicas: 3
        readyReplicas: 2
        availableReplicas: 1
        upToDateReplicas: 3
        conditions: [{ type: Available, status: 'False', reason: NotAvailable, message: wait, ${since} }]
    `;
    const { toOld, toStored } = conversionsOf(machineDeployment);
    const old = toOld(stored);
    const condition = `{ status: 'False', reason: NotAvailable, severity: Info, message: wait, ${since} }`;
    expect(old.status).toMatchObject({
      readyReplicas: 2,
      availableReplicas: 1,
      updatedReplicas: 3,
      unavailableReplicas: 2,
      conditions: [
        { type: 'Ready', ...(yaml(condition) as object) },
        { type: 'Available', ...(yaml(condition) as object) },
      ],
    });
    expect(old.metadata.annotations).toBeUndefined();
    expect(toStored(JSON.stringify(old)).status).toEqual((yaml(stored) as { status: unknown }).status);
  });

  it('has a True condition without reason, message and severity if the v1beta2 condition is True', () => {
    const { toOld } = conversionsOf(machine);
    const stored = `status: { conditions: [{ type: Ready, status: 'True', reason: Ready, message: fine, ${since} }] }`;
    const { conditions } = toOld(stored).status as { conditions: unknown };
    expect(conditions).toEqual([yaml(`{ type: Ready, status: 'True', ${since} }`)]);
  });

  it('prefers a value that a client has set', () => {
    const { toOld } = conversionsOf(machineDeployment);
    const stored = 'status: { readyReplicas: 2, deprecated: { v1beta1: { readyReplicas: 1 } } }';
    expect(toOld(stored).status).toMatchObject({ readyReplicas: 1, v1beta2: { readyReplicas: 2 } });
  });
});
