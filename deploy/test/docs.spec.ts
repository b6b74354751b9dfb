import { globSync } from 'node:fs'
import { programs, read, root, variablesOf } from './repository.js'

const pages = globSync('docs/*.md', { cwd: root }).map(read)
const firstCells = pages.flatMap((page) => [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w.]+/g) ?? []))

describe('docs/security.md', () => {
  it('names only tests that there are', () => {
    const named = [...read('docs/security.md').matchAll(/((?:`[\w.*-]+`(?:, )?)+) \(([a-z-]+(?:, [a-z-]+)*)\)/g)].flatMap(
      ([, tests = '', places = '']) => (tests.match(/[\w.*-]+/g) ?? []).map((test) => ({ test, places: places.split(', ') })),
    )
    const isThere = (test: string, place: string) =>
      globSync(`{apps/${place},packages/${place},${place}}/{src,test,web}/**/${test}.{spec,int.spec,e2e.spec}.ts`, { cwd: root }).length > 0
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ test, places }) => !places.some((place) => isThere(test, place)))).toEqual([])
  })
})

describe('the tables of docs/', () => {
  const documented = new Set(firstCells.filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name)))
  const known = new Set(programs.flatMap(variablesOf))

  it.each(programs)('name every variable that %s reads', (app) => {
    expect(variablesOf(app).filter((name) => !documented.has(name))).toEqual([])
  })

  it('name no variable that no app reads', () => {
    expect([...documented].filter((name) => !known.has(name))).toEqual([])
  })
})
