import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES, REFUSED, STRICT_CASES, STRICT_REFUSED } from '../../../shared/kube-api/go-template/cases.ts';
import { LIMIT } from '../../../shared/test-patience.ts';

/**
 * Runs Go's own text/template on templates that Windlass supports and on templates that it refuses. Needs Go on the
 * PATH.
 */
const PROGRAM = `package main

import (
	"bytes"
	"encoding/json"
	"os"
	"text/template"
)

type question struct {
	Template string
	Data     any
	Strict   bool
}

type answer struct {
	Text    string
	Refused bool
}

func ask(q question) answer {
	file := template.New("file")
	if q.Strict {
		file = file.Option("missingkey=error")
	}
	parsed, err := file.Parse(q.Template)
	if err != nil {
		return answer{Refused: true}
	}
	var text bytes.Buffer
	if err := parsed.Execute(&text, q.Data); err != nil {
		return answer{Refused: true}
	}
	return answer{Text: text.String()}
}

func main() {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		panic(err)
	}
	answers := []answer{}
	for _, q := range questions {
		answers = append(answers, ask(q))
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
`;

const marked = <T extends object>(cases: readonly T[], strict: boolean) => cases.map((one) => ({ ...one, strict }));

const RENDERED = [...marked(CASES, false), ...marked(STRICT_CASES, true)];
const NOT_RENDERED = [...marked(REFUSED, false), ...marked<(typeof REFUSED)[number]>(STRICT_REFUSED, true)];

const hasGo = spawnSync('go', ['version']).status === 0;

describe.skipIf(!hasGo && process.env.CI !== 'true')("Go's text/template", () => {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-go-template-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let answers: { Text: string; Refused: boolean }[];

  beforeAll(() => {
    writeFileSync(join(directory, 'main.go'), PROGRAM);
    const input = JSON.stringify(
      [...RENDERED, ...NOT_RENDERED].map(({ template, data, strict }) => ({
        Template: template,
        Data: data ?? { controlPlane: { version: 'v1.35.0' } },
        Strict: strict,
      })),
    );
    const { status, stdout, stderr } = spawnSync('go', ['run', 'main.go'], { cwd: directory, input, encoding: 'utf8' });
    if (status !== 0) throw new Error(`go run ended with ${status}:\n${stderr}`);
    answers = JSON.parse(stdout);
  }, LIMIT);

  it.each(RENDERED.map((wanted, index) => ({ ...wanted, index })))(
    'renders $template as Windlass does',
    ({ text, index }) => {
      expect(answers[index]).toEqual({ Text: text, Refused: false });
    },
  );

  it.each(NOT_RENDERED.map((wanted, index) => ({ ...wanted, index: RENDERED.length + index })))(
    'refuses $template, or accepts what Windlass deliberately refuses',
    ({ onlyHere = false, index }) => {
      expect(answers[index]?.Refused).toBe(!onlyHere);
    },
  );
});
