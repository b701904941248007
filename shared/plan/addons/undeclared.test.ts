import { describe, expect, it } from 'vitest';
import { droppedFields, withoutUndeclared } from './undeclared.ts';

const DEPLOYMENT = {
  kind: 'Deployment',
  spec: {
    bogus: 1,
    template: {
      spec: {
        containers: [
          { name: 'a', image: 'x' },
          { name: 'b.c]', image: 'y', wrong: true, ports: [{ containerPort: 80, odd: 1 }] },
        ],
        plain: [{ one: 1 }, { two: 2 }],
      },
    },
  },
};
const PLACE = 'failed to create typed patch object (default/x; apps/v1, Kind=Deployment): ';

describe('fields that a schema does not declare', () => {
  it('are removed if a refusal names them, one or several', () => {
    const one = withoutUndeclared(DEPLOYMENT, `${PLACE}.spec.bogus: field not declared in schema`);
    expect(one?.fields).toEqual(['.spec.bogus']);
    expect(one?.object.spec).toEqual({ template: DEPLOYMENT.spec.template });

    const containers = '.spec.template.spec.containers[name="b.c]"]';
    const several = withoutUndeclared(
      DEPLOYMENT,
      `${PLACE}errors:\n  .spec.bogus: field not declared in schema\n  ${containers}.wrong: field not declared in schema\n  ${containers}.ports[containerPort=80,protocol="TCP"].odd: field not declared in schema\n  .spec.template.spec.plain[1].two: field not declared in schema`,
    );
    expect(several?.fields).toHaveLength(4);
    expect(several?.object.spec.template.spec).toEqual({
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b.c]', image: 'y', ports: [{ containerPort: 80 }] },
      ],
      plain: [{ one: 1 }, {}],
    });
  });

  it('are not removed if a refusal has other reasons, or names fields that do not exist', () => {
    expect(withoutUndeclared(DEPLOYMENT, `${PLACE}.spec.replicas: expected numeric, got string`)).toBeUndefined();
    expect(withoutUndeclared(DEPLOYMENT, `${PLACE}.spec.other: field not declared in schema`)).toBeUndefined();
    expect(withoutUndeclared(DEPLOYMENT, `${PLACE}.spec[x: field not declared in schema`)).toBeUndefined();
  });

  it('are read from the warnings of a create', () => {
    const warnings = ['unknown field "spec.template.spec.containers[0].wrong"', 'v1 is old', 'unknown field "a b"'];
    expect(droppedFields(warnings)).toEqual(['spec.template.spec.containers[0].wrong']);
  });
});
