import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '../src/command/parse.js'
import { COMMANDS } from '../src/commands.js'
import { EXIT_MEANINGS } from '../src/failure/failure.js'

const page = readFileSync(join(import.meta.dirname, '../../../docs/cli.md'), 'utf8')
const lines = [...page.matchAll(/^trestle [^#<|\n]*/gm)].map(([line]) => line.trim())

describe('docs/cli.md', () => {
  it.each(lines)('has an example that is read: %s', (line) => {
    expect(parse(line.split(/\s+/).slice(1), COMMANDS).kind).toBe('command')
  })

  it('names every command', () => {
    const words = new Set(page.match(/[\w-]+/g))
    // What the shells ask, nobody types.
    const typed = COMMANDS.filter(({ name }) => name !== 'completion candidates')
    expect(typed.flatMap(({ name }) => name.split(' ')).filter((word) => !words.has(word))).toEqual([])
  })

  it('tells every exit code as the help does', () => {
    for (const [code, meaning] of EXIT_MEANINGS) expect(page).toContain(`| ${code} | ${meaning}`)
  })
})
