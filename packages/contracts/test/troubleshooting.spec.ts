import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem, type ProblemKind } from '@trestle/problem/problem'
import { accounts } from '../src/accounts/api.js'
import { btcConnect } from '../src/btc-connect/api.js'
import type { EndpointSpec } from '../src/endpoint.js'
import { ethRpc } from '../src/eth-rpc/api.js'
import { nodesArea } from '../src/nodes/api.js'
import { staking } from '../src/staking/api.js'

const ROOT = join(import.meta.dirname, '../../..')
const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8')
// What is listed here is made elsewhere.
const sources = globSync('{apps,packages}/*/src/**/*.ts', {
  cwd: ROOT,
  exclude: ['packages/contracts/**', '**/generated/**', '**/*.spec.ts'],
})
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n')

/** Each row that begins with a code: the code, and its statuses. */
const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, code = '', statuses = '']) => ({ code, statuses }))
const tables = page.split(/^## /m).map((section) => [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, code = '']) => code))
const areas: readonly Record<string, Record<string, EndpointSpec>>[] = [accounts, staking, nodesArea, btcConnect, ethRpc]
const endpoints = areas.flatMap((area) => Object.values(area)).flatMap((group) => Object.values(group))

describe('docs/troubleshooting.md', () => {
  it('names every code that an endpoint lists', () => {
    const listed = new Set(endpoints.flatMap(({ problems = [] }) => problems))
    expect([...listed].filter((code) => !rows.some((row) => row.code === code))).toEqual([])
  })

  it('names every code that a problem is made with, and its status', () => {
    const made = [...sources.matchAll(/new Problem\(\s*'([a-z-]+)',\s*'(\w+)'/g)]
    const missing = made.filter(([, kind, code = '']) => {
      const { status } = new Problem(kind as ProblemKind, code, '')
      return !rows.some((row) => row.code === code && row.statuses.includes(String(status)))
    })
    expect(missing.map(([, kind, code]) => `${kind} ${code}`)).toEqual([])
  })

  it('names no code that nobody tells', () => {
    expect(rows.map(({ code }) => code).filter((code) => !sources.includes(`'${code}'`))).toEqual([])
  })

  it('has the codes of a table in the order of the alphabet, so that one finds one', () => {
    for (const codes of tables) expect(codes).toEqual(codes.toSorted((a, b) => a.localeCompare(b, 'en')))
  })
})
