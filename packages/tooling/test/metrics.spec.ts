import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCES = globSync(['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: ROOT, exclude: ['**/generated/**', '**/*.spec.ts'] })
const TABLES = ['docs/operations.md', 'docs/eth-rpc-operations.md']

// In a file that adds metrics, a literal with underscores is the name of one.
const ADDS_METRICS = /from 'prom-client'|RowGauge/
const NAME = /'([a-z]+(?:_[a-z]+)+)'/g

describe('the tables of metrics in the docs', () => {
  const named = SOURCES.map(read)
    .filter((text) => ADDS_METRICS.test(text))
    .flatMap((text) => allOf(text, NAME))
  const rows = TABLES.map(read).flatMap((text) => allOf(text, /^\| (`[a-z]+_[a-z_`, ]+`) \|.*$/gm))
  const shown = rows.flatMap((cell) => allOf(cell, /`([a-z_]+)`/g))
  const former = TABLES.map(read).flatMap((text) => allOf(text, /Formerly `?([a-z_]+)/g))

  it('list every metric of the code', () => {
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((name) => !shown.includes(name) && !former.includes(name))).toEqual([])
  })

  it('list no metric that is not in the code', () => {
    expect(shown.filter((name) => !named.includes(name))).toEqual([])
  })
})

function read(path: string): string {
  return readFileSync(`${ROOT}${path}`, 'utf8')
}

function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, group = '']) => group)
}
