import { COMMANDS, GROUPS } from '../commands.js'
import { helpFor, usageOf } from './help.js'
import { parse } from './parse.js'

describe.each(COMMANDS.map((command) => [command.name, command] as const))('%s', (name, command) => {
  it('has a help with its usage, its options and what it asks', () => {
    const help = helpFor(name.split(' '), COMMANDS, GROUPS)
    expect(help).toContain(usageOf(command))
    for (const option of Object.keys(command.options ?? {})) expect(help).toContain(`--${option}`)
    for (const { path } of command.calls?.endpoints ?? []) expect(help).toContain(path)
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(
      Math.max(100, ...command.examples.map(([line]) => line.length + 2)),
    )
  })

  it('has examples that it can read', () => {
    expect(command.examples.length).toBeGreaterThan(0)
    for (const [line] of command.examples) {
      const own = /trestle (?:[^|<>()"']|'[^']*'|"[^"]*")*/.exec(line)?.[0] ?? ''
      const words = own.trim().match(/'[^']*'|"[^"]*"|\S+/g) ?? []
      const argv = words.slice(1).map((word) => word.replaceAll(/^['"]|['"]$/g, ''))
      expect(parse(argv, COMMANDS)).toMatchObject({ kind: 'command', command: { name } })
    }
  })
})

it('names every group, and no option twice for one letter', () => {
  const groups = COMMANDS.filter(({ name }) => name.includes(' ')).map(({ name }) => name.split(' ').slice(0, -1).join(' '))
  expect(groups.filter((group) => !COMMANDS.some(({ name }) => name === group) && !GROUPS[group])).toEqual([])
  for (const { options = {} } of COMMANDS) {
    const letters = ['o', 'h', ...Object.values(options).flatMap(({ short }) => short ?? [])]
    expect(new Set(letters).size).toBe(letters.length)
  }
})
