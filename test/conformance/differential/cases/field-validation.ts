import type { Scenario } from '../scenario.ts';
import { jsonPatch, mergePatch, post, put } from './requests.ts';
import { ALL_SUBJECTS, type Subject } from './subjects.ts';

const LEVELS = ['Strict', 'Warn', 'Ignore', ''];

const scenarioOf = ({ title, collection, object, unknown }: Subject): Scenario => ({
  name: `${title}: has fields that do not exist`,
  steps: (namespace) => {
    const all = collection(namespace);
    const merged = (name: string) => {
      const valid = object(name, { bogus: true });
      const spec = { ...(valid.spec as object), ...(unknown.spec as object) };
      return { ...valid, ...unknown, ...(unknown.spec ? { spec } : {}), more: { deep: [1] } };
    };
    return [
      post(all, object('one')),
      ...LEVELS.map((level) => post(`${all}?fieldValidation=${level}`, merged(`n-${level.toLowerCase()}x`))),
      ...LEVELS.map((level) => mergePatch(`${all}/one?fieldValidation=${level}`, unknown)),
      ...LEVELS.map((level) =>
        jsonPatch(`${all}/one?fieldValidation=${level}`, [{ op: 'add', path: '/metadata/bogus', value: 1 }]),
      ),
      (past) => put(`${all}/one?fieldValidation=Strict`, { ...past[0]?.body, bogus: 1 }),
      (past) => put(`${all}/one?fieldValidation=Warn`, { ...past[0]?.body, bogus: 1 }),
    ];
  },
});

export const FIELD_VALIDATION: readonly Scenario[] = ALL_SUBJECTS.map(scenarioOf);
