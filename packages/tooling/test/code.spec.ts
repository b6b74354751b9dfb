import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const { homonyms, impurities, misnamedClasses, needlessExports, summary } = await import(module('measures'))
const { parseSource } = await import(module('syntax'))
const { readRepository } = await import(module('repository'))

const MAX_CASTS = 1.5

describe('the code', () => {
  const files = readRepository(root)

  it('defines a name in one file only', () => {
    expect([...homonyms(files)]).toEqual([])
  })

  it('exports nothing that no other file imports', () => {
    expect(needlessExports(files)).toEqual([])
  })

  it('keeps files without a role free of clocks, timers, sockets, files and await', () => {
    expect(impurities(files)).toEqual([])
  })

  it('names a class after its file', () => {
    expect(misnamedClasses(files)).toEqual([])
  })

  it('casts rarely, and never to any or past null', () => {
    const { '`as` per 1,000 lines': casts, '`any`': anys, '`!`': bangs } = summary(files)
    expect(Number(casts)).toBeLessThanOrEqual(MAX_CASTS)
    expect({ anys, bangs }).toEqual({ anys: 0, bangs: 0 })
  })
})

describe('the measures', () => {
  it('find what a file exports, of every kind', () => {
    const text = `export const [a, { b: c, ...d }] = x
export async function f() {}
export abstract class G {}
export interface H {}
export type I = 1
export enum J {}
const k = 1
export { k as l }
function hidden() {}`
    expect(parsed(text).exports).toEqual(['a', 'c', 'd', 'f', 'G', 'H', 'I', 'J', 'l'])
  })

  it('count a name that two files define, whatever it is, but not one that every app has', () => {
    const files = repository({
      'packages/a/src/one.ts': 'export type Twice = 1\nexport const once = 1\nexport class AppModule {}',
      'packages/a/src/two.ts': 'export function Twice() {}\nexport class AppModule {}',
    })
    expect([...homonyms(files)]).toEqual([['Twice', ['packages/a/src/one.ts', 'packages/a/src/two.ts']]])
  })

  it('take for used what another file imports: by name, as a namespace, dynamically, from its package', () => {
    const files = repository({
      'packages/a/src/one.ts': 'export const used = 1\nexport const idle = used',
      'packages/a/src/two.ts': "import { used } from './one.js'\nexport const all = used",
      'packages/a/src/three.ts': "import * as two from './two.js'\nexport const lazy = two",
      'packages/b/src/four.ts': "import { type Shape } from '@trestle/a/five'\nconst page = import('@trestle/a/three')",
      'packages/a/src/five.ts': 'export interface Shape {}',
    })
    expect(needlessExports(files)).toEqual(['packages/a/src/one.ts idle'])
  })

  it.each([
    ['await', 'async () => { await x }'],
    ['Date.now', 'Date.now()'],
    ['new Date()', 'new Date()'],
    ['setTimeout', 'setTimeout(f, 1)'],
    ['Math.random', 'Math.random()'],
    ['process.env', 'process.env.A'],
  ])('find %s in a file without a role', (what, expression) => {
    const text = `// one\nexport const x = [${expression}]`
    expect(impurities(repository({ 'apps/nodes/src/things/thing.ts': text }))).toEqual([`apps/nodes/src/things/thing.ts:2 ${what}`])
    expect(impurities(repository({ 'apps/nodes/src/things/thing.engine.ts': text }))).toEqual([])
  })

  it.each([
    ["import { connect } from 'node:net'", 1],
    ["import { isIP } from 'node:net'", 0],
    ["import type { Socket } from 'node:net'", 0],
    ["import { type Stats, statSync } from 'node:fs'", 1],
    ["import { Injectable } from '@nestjs/common'", 1],
    ["import { createHash } from 'node:crypto'", 0],
    ['export const at = new Date(0)', 0],
  ])('judge %s', (text, count) => {
    expect(impurities(repository({ 'packages/bitcoin/src/thing.ts': text }))).toHaveLength(count)
  })

  it('want the class of a role to have the name of its file', () => {
    const files = repository({
      'apps/nodes/src/things/things.service.ts': 'export class ThingsService {}',
      'apps/nodes/src/things/others.service.ts': 'export class Others {}',
      'apps/nodes/src/things/thing.engine.ts': 'export class Thing {}',
    })
    expect(misnamedClasses(files)).toEqual(['apps/nodes/src/things/others.service.ts Others: expected OthersService'])
  })

  it('measure functions of every kind, and find those that only forward', () => {
    const text = `function one(a, b) { return two(a, b) }
class C {
  constructor(readonly a: number) {
    this.x = 1
  }
  three(a: string): number {
    return this.z.four(a)
  }
  five(a) { return six(a, 1) }
}
const seven = (a) => {

  return a
}`
    const { functions } = parsed(text)
    const measured = functions.map(({ line, lines, onlyForwards }: Measured) => [line, lines, onlyForwards])
    expect(measured).toEqual([
      [1, 1, true],
      [3, 3, false],
      [6, 3, true],
      [9, 1, false],
      [11, 4, false],
    ])
  })
})

interface Measured {
  readonly line: number
  readonly lines: number
  readonly onlyForwards: boolean
}

function parsed(text: string) {
  return parseSource('packages/a/src/one.ts', text)
}

function repository(files: Readonly<Record<string, string>>) {
  return new Map(Object.entries(files).map(([path, text]) => [path, parseSource(path, text)]))
}

function module(name: string): string {
  return new URL(`../src/measures/${name}.js`, import.meta.url).href
}
