import { globSync } from 'node:fs'
import { programs, read, root, variablesOf } from './repository.js'

const pages = globSync('docs/*.md', { cwd: root }).map(read)
const firstCells = pages.flatMap((page) => [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w.]+/g) ?? []))

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
