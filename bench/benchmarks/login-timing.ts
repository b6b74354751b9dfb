import { randomInt, randomUUID } from 'node:crypto'
import { request } from 'undici'
import { quantile } from '../src/load.ts'
import { mannWhitney } from '../src/mann-whitney.ts'
import { startBenchPlatform } from '../src/platform.ts'
import { report, rounded } from '../src/report.ts'

// Does the time of a refused login reveal whether the user exists? Pairs of one known and one unknown user, in random order, each user
// tried once and from a network of its own (loopback is a trusted proxy): more failures would be throttled.

const PAIRS = 300

const platform = await startBenchPlatform(['accounts'])
const known = await platform.insertUsers(PAIRS)
const millis = { known: [] as number[], unknown: [] as number[] }

for (let warm = 0; warm < 20; warm++) await refuse(`nobody-${randomUUID()}@example.org`)
for (const email of known) {
  const pair = [
    { kind: 'known', email },
    { kind: 'unknown', email: `user-${randomUUID()}@example.org` },
  ] as const
  for (const { kind, email } of Math.random() < 0.5 ? pair : pair.toReversed()) millis[kind].push(await refuse(email))
}
await platform.stop()

const p = mannWhitney(millis.known, millis.unknown)
const medians = { known: median(millis.known), unknown: median(millis.unknown) }
const difference = Math.abs(medians.known - medians.unknown)
report({
  name: 'login timing',
  target: 'a refused login takes statistically the same time for known and unknown users (Mann-Whitney p > 0.01, medians within 1 ms)',
  met: p > 0.01 && difference < 1,
  rows: [
    { users: 'known', 'median ms': rounded(medians.known, 3), p: '' },
    { users: 'unknown', 'median ms': rounded(medians.unknown, 3), p: '' },
    { users: 'difference', 'median ms': rounded(difference, 3), p: rounded(p, 4) },
  ],
})

async function refuse(email: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${email}:not the right password`).toString('base64')}`
  const started = performance.now()
  const answer = await request(`${platform.accounts.url}/auth`, {
    method: 'POST',
    headers: { authorization, 'x-forwarded-for': anyAddress() },
  })
  await answer.body.dump()
  if (answer.statusCode !== 401) throw new Error(`expected 401, got ${answer.statusCode}`)
  return performance.now() - started
}

function anyAddress(): string {
  const octet = () => randomInt(1, 255)
  return `11.${octet()}.${octet()}.${octet()}`
}

function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )
}
